#include "train/select/plan.h"

#include <gtest/gtest.h>

namespace linsep {
namespace {

/// λ = 1, 0.1, 0.01, … with these held-out errors; the losses are the other way round.
std::vector<SelectionPoint> path_of(const std::vector<double>& errors) {
  std::vector<SelectionPoint> path;
  double lambda = 1;
  for (const double error : errors) {
    SelectionPoint& point = path.emplace_back();
    point.lambda = lambda;
    point.mistakes = 0;
    point.held_out = HeldOut{error, 0, 1 - error, 0};
    lambda /= 10;
  }
  return path;
}

TEST(Choice, IsTheGreatestOfEquallyGoodLambdas) {
  EXPECT_EQ(choose_point(path_of({0.3, 0.2, 0.2, 0.4}), false), 1U);
  EXPECT_EQ(choose_point(path_of({0.3, 0.2, 0.2, 0.4}), true), 3U);
}

TEST(Choice, WithoutRowsHeldOutIsTheLastThatIsFinished) {
  auto path = path_of({0.3, 0.2, 0.1});
  for (SelectionPoint& point : path) point.held_out.reset();
  path[2].mistakes = -1;
  EXPECT_EQ(choose_point(path, false), 1U);
}

TEST(Grid, GoesOnBeyondTheEndWhereTheBestStands) {
  EXPECT_EQ(next_lambda(path_of({0.3, 0.2, 0.1}), false, 10), 1e-3);
  EXPECT_EQ(next_lambda(path_of({0.1, 0.2, 0.3}), false, 10), 10);
  EXPECT_EQ(next_lambda(path_of({0.1, 0.2, 0.3}), true, 10), 1e-3);
}

TEST(Grid, EndsWhereTheBestStandsWithinOrIsNoBetterThanItsNeighbour) {
  EXPECT_EQ(next_lambda(path_of({0.3, 0.1, 0.2}), false, 10), std::nullopt);
  EXPECT_EQ(next_lambda(path_of({0, 0, 0}), false, 10), std::nullopt);
  EXPECT_EQ(next_lambda(path_of({0.1, 0.1, 0.2}), false, 10), std::nullopt);
  EXPECT_EQ(next_lambda(path_of({0.1}), false, 10), std::nullopt);
}

TEST(Grid, HasNeatNumbersAndStaysWithinTheirRange) {
  auto path = path_of({0.2, 0.1});
  path[1].lambda = 1e-6;
  EXPECT_EQ(next_lambda(path, false, 10), 1e-7);
  path[1].lambda = 1e-200;
  EXPECT_EQ(next_lambda(path, false, 10), std::nullopt);
}

TEST(Grid, WaitsForEveryLambda) {
  auto path = path_of({0.3, 0.2, 0.1});
  path[0].held_out.reset();
  EXPECT_EQ(next_lambda(path, false, 10), std::nullopt);
}

}  // namespace
}  // namespace linsep

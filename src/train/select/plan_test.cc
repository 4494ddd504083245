#include "train/select/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

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
  EXPECT_EQ(choose_point(path_of({0.3, 0.2, 0.2, 0.4}), {}), 1U);
  EXPECT_EQ(choose_point(path_of({0.3, 0.2, 0.2, 0.4}), {.by_loss = true}), 3U);
}

TEST(Choice, WithoutRowsHeldOutIsTheLastThatIsFinished) {
  auto path = path_of({0.3, 0.2, 0.1});
  for (SelectionPoint& point : path) point.held_out.reset();
  path[2].mistakes = -1;
  EXPECT_EQ(choose_point(path, {}), 1U);
}

TEST(Choice, WithinOneStandardErrorIsTheGreatestLambda) {
  auto path = path_of({0.4, 0.25, 0.2, 0.3});
  path[2].held_out->error_spread = 0.06;
  EXPECT_EQ(choose_point(path, {.one_se = true}), 1U);
  path[2].held_out->error_spread = 0.04;
  EXPECT_EQ(choose_point(path, {.one_se = true}), 2U);
}

TEST(Choice, HasAtMostTheFeaturesWanted) {
  auto path = path_of({0.4, 0.3, 0.2, 0.1});
  for (std::size_t l = 0; l < path.size(); ++l) path[l].support = static_cast<std::int64_t>(l) * 5;
  EXPECT_EQ(choose_point(path, {.features = 10}), 2U);
  EXPECT_EQ(choose_point(path, {.features = 9}), 1U);
  for (SelectionPoint& point : path) point.held_out.reset();
  EXPECT_EQ(choose_point(path, {.features = 10}), 2U);
}

TEST(Grid, OfAnL1PenaltyEndsAtAHundredthOfItsFirst) {
  const std::vector<double> lambdas = l1_lambdas(8);
  EXPECT_EQ(lambdas.size(), 100U);
  EXPECT_EQ(lambdas.front(), 8);
  EXPECT_EQ(lambdas.back(), 0.08);
  EXPECT_TRUE(std::ranges::is_sorted(lambdas, std::greater<>()));
}

TEST(Grid, GoesOnBeyondTheEndWhereTheBestStands) {
  EXPECT_EQ(next_lambda(path_of({0.3, 0.2, 0.1}), {}, 10), 1e-3);
  EXPECT_EQ(next_lambda(path_of({0.1, 0.2, 0.3}), {}, 10), 10);
  EXPECT_EQ(next_lambda(path_of({0.1, 0.2, 0.3}), {.by_loss = true}, 10), 1e-3);
}

TEST(Grid, EndsWhereTheBestStandsWithinOrIsNoBetterThanItsNeighbour) {
  EXPECT_EQ(next_lambda(path_of({0.3, 0.1, 0.2}), {}, 10), std::nullopt);
  EXPECT_EQ(next_lambda(path_of({0, 0, 0}), {}, 10), std::nullopt);
  EXPECT_EQ(next_lambda(path_of({0.1, 0.1, 0.2}), {}, 10), std::nullopt);
  EXPECT_EQ(next_lambda(path_of({0.1}), {}, 10), std::nullopt);
}

TEST(Grid, HasNeatNumbersAndStaysWithinTheirRange) {
  auto path = path_of({0.2, 0.1});
  path[1].lambda = 1e-6;
  EXPECT_EQ(next_lambda(path, {}, 10), 1e-7);
  path[1].lambda = 1e-200;
  EXPECT_EQ(next_lambda(path, {}, 10), std::nullopt);
}

TEST(Grid, WaitsForEveryLambda) {
  auto path = path_of({0.3, 0.2, 0.1});
  path[0].held_out.reset();
  EXPECT_EQ(next_lambda(path, {}, 10), std::nullopt);
}

}  // namespace
}  // namespace linsep

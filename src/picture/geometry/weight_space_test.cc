#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "linsep/picture/geometry.h"
#include "picture/geometry/orientation.h"

namespace linsep {
namespace {

using Points = std::vector<PlanePoint>;
const Window kAround{-4, 4, -3, 3};

TEST(WeightSpace, OfAndAtMinusOneIsATriangleBetweenThreeLines) {
  const std::vector<double> x = {0, 0, 0, 1, 1, 0, 1, 1};
  const std::vector<int> y = {-1, -1, -1, 1};
  const WeightSpace space = weight_space(x, y, WeightSlice::kAtOffset, -1, kAround);
  ASSERT_EQ(space.lines.size(), 4U);
  EXPECT_TRUE(space.lines[0].good_everywhere);
  EXPECT_TRUE(space.lines[0].ends.empty());
  EXPECT_EQ(space.lines[1].ends, (Points{{-4, 1}, {4, 1}}));
  EXPECT_EQ(space.lines[2].ends, (Points{{1, -3}, {1, 3}}));
  EXPECT_EQ(space.lines[3].ends, (Points{{-2, 3}, {4, -3}}));
  Points corners = space.feasible;
  ASSERT_EQ(corners.size(), 3U);
  for (const PlanePoint& corner : {PlanePoint{1, 0}, PlanePoint{1, 1}, PlanePoint{0, 1}}) {
    EXPECT_TRUE(std::any_of(corners.begin(), corners.end(), [&](const PlanePoint& p) {
      return std::abs(p.x - corner.x) < 1e-12 && std::abs(p.y - corner.y) < 1e-12;
    })) << corner.x;
  }
}

TEST(WeightSpace, OfAndAtAPositiveOffsetIsEmpty) {
  const std::vector<double> x = {0, 0, 0, 1, 1, 0, 1, 1};
  const std::vector<int> y = {-1, -1, -1, 1};
  for (const double offset : {0.0, 1.0}) {  // a row on the boundary is a mistake
    const WeightSpace space = weight_space(x, y, WeightSlice::kAtOffset, offset, kAround);
    EXPECT_TRUE(space.lines[0].wrong_everywhere) << offset;
    EXPECT_TRUE(space.feasible.empty()) << offset;
  }
}

TEST(WeightSpace, OfOneFeatureHasTheOffsetAcross) {
  // NOT: + at 0, − at 1. θ0 > 0 and θ0 + θ1 < 0.
  const WeightSpace space =
      weight_space(std::vector<double>{0, 1}, std::vector<int>{1, -1}, WeightSlice::kOffsetAndWeight, 0, kAround);
  EXPECT_EQ(space.feasible, (Points{{0, -3}, {3, -3}, {0, 0}}));
  EXPECT_EQ(space.lines[0].ends, (Points{{0, -3}, {0, 3}}));
}

TEST(WeightSpace, OfTheSameRowInBothClassesIsEmpty) {
  const std::vector<double> x = {1, 1, 0.3, 0.7, 0.3, 0.7};
  const std::vector<int> y = {1, 1, -1};
  EXPECT_TRUE(weight_space(x, y, WeightSlice::kThroughOrigin, 0, kAround).feasible.empty());
}

RC_GTEST_PROP(WeightSpace, HoldsTheWeightsThatGetEveryRowRight, ()) {
  std::vector<double> x;
  std::vector<int> y;
  const int rows = *rc::gen::inRange(1, 6);
  for (int i = 0; i < rows; ++i) {
    x.push_back(*rc::gen::inRange(-5, 6) / 2.0);
    x.push_back(*rc::gen::inRange(-5, 6) / 2.0);
    y.push_back(*rc::gen::element(-1, 1));
  }
  const double offset = *rc::gen::inRange(-3, 4);
  const WeightSpace space = weight_space(x, y, WeightSlice::kAtOffset, offset, kAround);
  for (double a = -3.9; a < 4; a += 0.53) {
    for (double b = -2.9; b < 3; b += 0.47) {
      double least = 1e9;
      for (int i = 0; i < rows; ++i) least = std::min(least, y[i] * (a * x[2 * i] + b * x[2 * i + 1] + offset));
      if (std::abs(least) < 1e-9) continue;
      bool inside = space.feasible.size() >= 3;
      for (std::size_t k = 0; inside && k < space.feasible.size(); ++k) {
        inside = turn_of(space.feasible[k], space.feasible[(k + 1) % space.feasible.size()], {a, b}) >= 0;
      }
      RC_ASSERT(inside == (least > 0));
    }
  }
}

}  // namespace
}  // namespace linsep

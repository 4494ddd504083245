#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "numeric/corral.h"
#include "numeric/min_norm_point.h"

namespace linsep {
namespace {

std::vector<double> drawn_point(Random& random, std::size_t size) {
  std::vector<double> point(size);
  double squared = 0;
  for (double& v : point) {
    v = random.normal();
    squared += v * v;
  }
  for (double& v : point) v /= std::sqrt(squared);
  return point;
}

TEST(CorralFactor, AffineMinimumStaysRightAsColumnsComeAndGo) {
  Random random(5);
  const std::size_t size = 12;
  CorralFactor factor(size);
  std::vector<std::vector<double>> points;
  for (int step = 0; step < 400; ++step) {
    if (points.size() > 8 || (points.size() > 1 && random.below(3) == 0)) {
      const std::size_t gone = random.below(points.size());
      points.erase(points.begin() + static_cast<std::ptrdiff_t>(gone));
      factor.remove(gone);
    } else {
      points.push_back(drawn_point(random, size));
      ASSERT_TRUE(factor.push(points.back()));
    }
    std::vector<double> x;
    factor.affine_minimum(x);
    std::vector<double> p(size, 0.0);
    double sum = 0;
    for (std::size_t c = 0; c < x.size(); ++c) {
      sum += x[c];
      for (std::size_t j = 0; j < size; ++j) p[j] += x[c] * points[c][j];
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    // At the affine minimum every point has the same score, the squared norm.
    double squared = 0;
    for (const double v : p) squared += v * v;
    for (const auto& point : points) {
      double score = 0;
      for (std::size_t j = 0; j < size; ++j) score += point[j] * p[j];
      EXPECT_NEAR(score, squared, 1e-10);
    }
  }
}

TEST(CorralFactor, RefusesAPointOfTheAffineHull) {
  CorralFactor factor(3);
  EXPECT_TRUE(factor.push(std::vector<double>{1, 0, 0}));
  EXPECT_TRUE(factor.push(std::vector<double>{0, 1, 0}));
  EXPECT_FALSE(factor.push(std::vector<double>{0.25, 0.75, 0}));
}

TEST(MinNormPoint, SeparatesPointsOfOneSide) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random random(6, seed);
    const std::size_t size = 2 + random.below(20);
    MinNormPoint solver(size);
    for (int i = 0; i < 200; ++i) {
      std::vector<double> point = drawn_point(random, size);
      if (point[0] < 0) point[0] = -point[0];
      point[0] += 0.01;
      solver.add(point, i);
    }
    ASSERT_EQ(solver.solve({}), MinNormPoint::End::kSeparated);
    EXPECT_GT(solver.least(), 0);
    EXPECT_LE(solver.corral().size(), size + 1);
  }
}

TEST(MinNormPoint, FindsZeroInsideTheHull) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random random(7, seed);
    const std::size_t size = 2 + random.below(10);
    MinNormPoint solver(size);
    for (int i = 0; i < 300; ++i) solver.add(drawn_point(random, size), i);
    ASSERT_EQ(solver.solve({}), MinNormPoint::End::kZero) << seed;
    EXPECT_LE(solver.corral().size(), size + 1);
  }
}

TEST(MinNormPoint, IsTheNearestPointOfASegment) {
  MinNormPoint solver(2);
  solver.add(std::vector<double>{1, -1}, 0);
  solver.add(std::vector<double>{1, 3}, 1);
  ASSERT_EQ(solver.solve({}), MinNormPoint::End::kSeparated);
  EXPECT_NEAR(solver.nearest()[0], 1, 1e-12);
  EXPECT_NEAR(solver.nearest()[1], 0, 1e-12);
}

}  // namespace
}  // namespace linsep

#include <gtest/gtest.h>

#include <cmath>

#include "linsep/picture/geometry.h"

namespace linsep {
namespace {

const Window kSquare{-2, 2, -2, 2};

TEST(LevelPaths, OfACircleIsOneClosedPathOnIt) {
  const auto paths = level_paths([](double x, double y) { return x * x + y * y; }, 1, kSquare);
  ASSERT_EQ(paths.size(), 1U);
  EXPECT_EQ(paths[0].front(), paths[0].back());
  EXPECT_GT(paths[0].size(), 100U);
  double length = 0;
  for (std::size_t i = 0; i < paths[0].size(); ++i) {
    EXPECT_NEAR(std::hypot(paths[0][i].x, paths[0][i].y), 1, 1e-3);
    if (i > 0) length += std::hypot(paths[0][i].x - paths[0][i - 1].x, paths[0][i].y - paths[0][i - 1].y);
  }
  EXPECT_NEAR(length, 2 * 3.14159265, 0.01);
}

TEST(LevelPaths, OfACircleTheWindowCutsAreOpenArcs) {
  const auto paths = level_paths([](double x, double y) { return x * x + y * y; }, 2.25, Window{-1.4, 1.4, -2, 2});
  ASSERT_EQ(paths.size(), 2U);
  for (const auto& path : paths) {
    EXPECT_NEAR(std::abs(path.front().x), 1.4, 1e-12);
    EXPECT_NEAR(std::abs(path.back().x), 1.4, 1e-12);
    EXPECT_FALSE(path.front() == path.back());
  }
}

TEST(LevelPaths, OfALineAreItsEnds) {
  const auto paths = level_paths([](double x, double y) { return x + y; }, 0.5, kSquare, 7);
  ASSERT_EQ(paths.size(), 1U);
  for (const PlanePoint& point : paths[0]) EXPECT_NEAR(point.x + point.y, 0.5, 1e-12);
  EXPECT_EQ(std::min(paths[0].front().x, paths[0].back().x), -1.5);
}

TEST(LevelPaths, OfTheProductAreTwoBranches) {
  // XOR's boundary after `products` is a hyperbola.
  const auto paths = level_paths([](double x, double y) { return 2 * x + 2 * y - 5 * x * y - 1; }, 0, kSquare);
  ASSERT_EQ(paths.size(), 2U);
  for (const auto& path : paths) {
    for (const PlanePoint& p : path) EXPECT_NEAR(2 * p.x + 2 * p.y - 5 * p.x * p.y - 1, 0, 2e-2);
  }
}

TEST(LevelPaths, ASaddleIsCutByTheSideOfTheMean) {
  // Corners 1, −1, 1, −1 with a shift. The middle is positive, so the two negative corners are cut off, each alone.
  const Window cell{-1, 1, -1, 1};
  for (const double shift : {0.25, -0.25}) {
    const auto paths = level_paths([&](double x, double y) { return x * y + shift; }, 0, cell, 1);
    ASSERT_EQ(paths.size(), 2U);
    for (const auto& path : paths) {
      ASSERT_EQ(path.size(), 2U);
      const double middle_x = (path[0].x + path[1].x) / 2, middle_y = (path[0].y + path[1].y) / 2;
      EXPECT_LT(middle_x * middle_y * shift, 0);
    }
  }
}

TEST(LevelPaths, NothingWhereTheLevelIsNotReachedAndHolesWhereThereIsNoValue) {
  EXPECT_TRUE(level_paths([](double, double) { return 1.0; }, 0, kSquare).empty());
  EXPECT_TRUE(level_paths([](double x, double) { return x; }, 0, kSquare, 0).empty());
  const auto paths = level_paths([](double x, double y) { return std::abs(x) < 0.5 ? std::nan("") : y; }, 0.1, kSquare);
  EXPECT_EQ(paths.size(), 2U);
}

}  // namespace
}  // namespace linsep

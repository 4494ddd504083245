#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "linsep/picture/geometry.h"

namespace linsep {
namespace {

TEST(Window, IsRoundAndWiderThanThePoints) {
  const std::vector<PlanePoint> points = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
  const Window window = window_around(points);
  EXPECT_DOUBLE_EQ(window.x_low, -0.1);
  EXPECT_DOUBLE_EQ(window.x_high, 1.1);
  EXPECT_DOUBLE_EQ(window.y_low, -0.1);
  EXPECT_DOUBLE_EQ(window.y_high, 1.1);
}

TEST(Window, HasEqualScalesAboutTheMiddleWhenAsked) {
  const std::vector<PlanePoint> points = {{0, 0}, {10, 1}};
  const Window window = window_around(points, 2.0);
  EXPECT_DOUBLE_EQ((window.x_high - window.x_low) / (window.y_high - window.y_low), 2.0);
  EXPECT_NEAR(window.y_low + window.y_high, 1.0, 0.1);
  EXPECT_LT(window.y_low, -2);
}

TEST(Window, WithoutPointsOrWithOne) {
  const Window none = window_around({});
  EXPECT_EQ(none.x_low, -1);
  EXPECT_EQ(none.y_high, 1);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<PlanePoint> one = {{5, 5}, {nan, 0}, {0, std::numeric_limits<double>::infinity()}};
  const Window around = window_around(one);
  EXPECT_EQ(around.x_low, 4);
  EXPECT_EQ(around.x_high, 6);
}

TEST(Window, IsFiniteAroundHugeAndTinyNumbers) {
  for (const double size : {1e-320, 1e-300, 1e-9, 1.0, 1e9, 1e300, 1.7e308}) {
    const std::vector<PlanePoint> points = {{-size, size}, {size, size * 0.999}};
    const Window window = window_around(points);
    EXPECT_TRUE(std::isfinite(window.x_high - window.x_low)) << size;
    EXPECT_LT(window.x_low, window.x_high) << size;
    EXPECT_LT(window.y_low, window.y_high) << size;
  }
}

RC_GTEST_PROP(Window, HoldsItsPoints, ()) {
  std::vector<PlanePoint> points;
  const int count = *rc::gen::inRange(1, 6);
  for (int i = 0; i < count; ++i) {
    points.push_back({*rc::gen::inRange(-1000, 1000) / 7.0, *rc::gen::inRange(-1000, 1000) / 7e5});
  }
  const Window window = window_around(points, *rc::gen::element(0.0, 0.5, 1.0, 2.0));
  for (const PlanePoint& point : points) {
    RC_ASSERT(window.x_low < point.x && point.x < window.x_high);
    RC_ASSERT(window.y_low < point.y && point.y < window.y_high);
  }
}

TEST(Ticks, AreRoundNumbersWithoutDust) {
  EXPECT_EQ(round_ticks(-0.1, 1.1), (std::vector<double>{0, 0.2, 0.4, 0.6, 0.8, 1.0}));
  EXPECT_EQ(round_ticks(-1.9, 6.4), (std::vector<double>{0, 2, 4, 6}));
  EXPECT_EQ(round_ticks(0, 0.35, 8), (std::vector<double>{0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35}));
  EXPECT_EQ(round_ticks(1e22, 6e22, 6), (std::vector<double>{1e22, 2e22, 3e22, 4e22, 5e22, 6e22}));
}

TEST(Ticks, NoneWhereThereIsNoRange) {
  EXPECT_TRUE(round_ticks(1, 1).empty());
  EXPECT_TRUE(round_ticks(2, 1).empty());
  EXPECT_TRUE(round_ticks(0, std::numeric_limits<double>::infinity()).empty());
  EXPECT_TRUE(round_ticks(1, std::nextafter(1, 2)).size() <= 7);
}

RC_GTEST_PROP(Ticks, AreWithinAndNotTooMany, ()) {
  const double low = *rc::gen::inRange(-100000, 100000) / 333.0;
  const double high = low + *rc::gen::inRange(1, 100000) / 1000.0;
  const int most = *rc::gen::inRange(2, 12);
  const std::vector<double> ticks = round_ticks(low, high, most);
  RC_ASSERT(static_cast<int>(ticks.size()) <= most);
  RC_ASSERT(!ticks.empty());
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    RC_ASSERT(ticks[i] >= low && ticks[i] <= high);
    if (i > 0) RC_ASSERT(ticks[i] > ticks[i - 1]);
  }
}

}  // namespace
}  // namespace linsep

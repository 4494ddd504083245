#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "linsep/picture/geometry.h"
#include "picture/geometry/orientation.h"

namespace linsep {
namespace {

const Window kUnit{0, 1, 0, 1};

using Points = std::vector<PlanePoint>;

bool holds(const Points& polygon, const PlanePoint& point) {
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    if (turn_of(polygon[i], polygon[(i + 1) % polygon.size()], point) < 0) return false;
  }
  return polygon.size() >= 3;
}

TEST(Line, CrossesTheWindow) {
  EXPECT_EQ(clipped_line(1, 1, -1, kUnit), (Points{{0, 1}, {1, 0}}));
  EXPECT_EQ(clipped_line(1, 0, -0.5, kUnit), (Points{{0.5, 0}, {0.5, 1}}));
  EXPECT_EQ(clipped_line(0, -4, 1, kUnit), (Points{{0, 0.25}, {1, 0.25}}));
}

TEST(Line, AlongAnEdgeIsTheEdgeAndThroughACornerIsNothing) {
  EXPECT_EQ(clipped_line(0, 1, 0, kUnit), (Points{{0, 0}, {1, 0}}));
  EXPECT_TRUE(clipped_line(1, 1, 0, kUnit).empty());
}

TEST(Line, ThatMissesOrIsNoneIsNothing) {
  EXPECT_TRUE(clipped_line(1, 1, 5, kUnit).empty());
  EXPECT_TRUE(clipped_line(0, 0, 0, kUnit).empty());
  EXPECT_TRUE(clipped_line(std::numeric_limits<double>::quiet_NaN(), 1, 0, kUnit).empty());
}

TEST(Line, OfHugeAndTinyCoefficientsIsTheSame) {
  for (const double scale : {1e-300, 1e300}) {
    const Points ends = clipped_line(2 * scale, scale, -scale, kUnit);
    ASSERT_EQ(ends.size(), 2U) << scale;
    EXPECT_DOUBLE_EQ(ends[0].y, 1) << scale;
    EXPECT_DOUBLE_EQ(ends[1].x, 0.5) << scale;
  }
}

TEST(HalfPlane, OfNoSlopeIsAllOrNothing) {
  EXPECT_EQ(clipped_half_plane(0, 0, 1, kUnit).size(), 4U);
  EXPECT_EQ(clipped_half_plane(0, 0, 0, kUnit).size(), 4U);
  EXPECT_TRUE(clipped_half_plane(0, 0, -1, kUnit).empty());
}

TEST(HalfPlane, ThatTouchesTheWindowAloneIsNothing) {
  EXPECT_TRUE(clipped_half_plane(-1, 0, 0, kUnit).empty());
  EXPECT_TRUE(clipped_half_plane(-1, -1, 0, kUnit).empty());
}

RC_GTEST_PROP(HalfPlane, HoldsTheSampledPointsOfItsSide, ()) {
  const double a = *rc::gen::inRange(-20, 21), b = *rc::gen::inRange(-20, 21), c = *rc::gen::inRange(-40, 41);
  const Window window{-2, 3, -1, 1.5};
  const Points polygon = clipped_half_plane(a, b, c, window);
  const Points line = clipped_line(a, b, c, window);
  const double near = 1e-9 * (std::abs(a) + std::abs(b) + std::abs(c));
  for (double x = -1.97; x < 3; x += 0.31) {
    for (double y = -0.96; y < 1.5; y += 0.29) {
      const double value = a * x + b * y + c;
      if (std::abs(value) <= near) continue;
      RC_ASSERT(holds(polygon, {x, y}) == (value > 0));
    }
  }
  for (const PlanePoint& end : line) {
    RC_ASSERT(std::abs(a * end.x + b * end.y + c) <= near);
    RC_ASSERT(end.x == -2 || end.x == 3 || end.y == -1 || end.y == 1.5);
  }
  const bool other_side = !clipped_half_plane(-a, -b, -c, window).empty();
  const bool along_edge = line.size() == 2 && (a == 0 || b == 0) && (polygon.empty() || !other_side);
  RC_ASSERT(along_edge || (line.size() == 2) == (!polygon.empty() && other_side && (a != 0 || b != 0)));
}

TEST(Polygon, ClippedTwiceByOppositeSidesIsNothing) {
  Points polygon = clipped_half_plane(1, 0, -0.5, kUnit);
  EXPECT_EQ(polygon, (Points{{0.5, 0}, {1, 0}, {1, 1}, {0.5, 1}}));
  polygon = clip_polygon(polygon, -1, 0, 0.5);
  EXPECT_TRUE(polygon.empty());
}

}  // namespace
}  // namespace linsep

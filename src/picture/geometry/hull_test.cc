#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linsep/picture/geometry.h"
#include "picture/geometry/orientation.h"

namespace linsep {
namespace {

using Points = std::vector<PlanePoint>;

TEST(Turn, IsExactWhereDoublesAreNot) {
  // N(N + 1) and (N − 1)(N + 2) differ by 2, and a double of their size counts in steps of thousands of millions.
  const PlanePoint a{0, 0}, b{0x1p52, 0x1p52 - 1}, c{0x1p52 + 2, 0x1p52 + 1};
  EXPECT_EQ(b.x * c.y, b.y * c.x);
  EXPECT_EQ(turn_of(a, b, c), 1);
  EXPECT_EQ(turn_of(a, c, b), -1);
  EXPECT_EQ(turn_of({0, 0}, {1e-200, 1e-200}, {3e-200, std::nextafter(3e-200, 1)}), 1);
  EXPECT_EQ(turn_of({0, 0}, {1e-200, 1e-200}, {3e-200, 3e-200}), 0);
  EXPECT_EQ(turn_of({-1e300, -1e300}, {0, 0}, {1e300, 1e300}), 0);
  EXPECT_EQ(turn_of({-1e300, -1e300}, {0, 0}, {1e300, std::nextafter(1e300, 2e300)}), 1);
}

TEST(Turn, NearALineAgreesWithTheThreePointsTurnedRound) {
  for (int i = -20; i <= 20; ++i) {
    const PlanePoint a{0.5 + i * 0x1p-53, 0.5}, b{12, 12}, c{24, 24};
    const int turn = turn_of(a, b, c);
    EXPECT_EQ(turn, i == 0 ? 0 : i > 0 ? -1 : 1) << i;
    EXPECT_EQ(turn_of(b, c, a), turn) << i;
    EXPECT_EQ(turn_of(c, b, a), -turn) << i;
  }
}

TEST(Hull, OfASquareWithPointsOnItsEdgesIsItsCorners) {
  const Points grid = {{1, 1}, {0, 0}, {2, 0}, {1, 0}, {2, 2}, {0, 2}, {2, 1}, {0, 1}, {1, 2}, {0, 0}, {2, 2}};
  EXPECT_EQ(convex_hull(grid), (Points{{0, 0}, {2, 0}, {2, 2}, {0, 2}}));
}

TEST(Hull, OfPointsThatCoincideOrLieOnALine) {
  EXPECT_TRUE(convex_hull({}).empty());
  EXPECT_EQ(convex_hull(Points{{3, 4}, {3, 4}}), (Points{{3, 4}}));
  EXPECT_EQ(convex_hull(Points{{0.1, 0.1}, {0.3, 0.3}, {0.2, 0.2}, {0.1, 0.1}}), (Points{{0.1, 0.1}, {0.3, 0.3}}));
  EXPECT_EQ(convex_hull(Points{{0, 3}, {0, -1}, {-0.0, 2}}), (Points{{0, -1}, {0, 3}}));
}

TEST(Hull, LeavesOutWhatIsNotFinite) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(convex_hull(Points{{0, inf}, {1, 2}, {std::nan(""), 0}}), (Points{{1, 2}}));
}

/// A point is a corner of the hull if no segment or triangle of other points holds it, by definition.
bool is_corner(const Points& points, const PlanePoint& p) {
  // p is a corner if the directions to all others lie within an open half-plane. Then some other point q has all others
  // strictly to the left of p → q, or on it ahead of p.
  bool alone = true;
  for (const PlanePoint& q : points) {
    if (q == p) continue;
    alone = false;
    const bool edge = std::all_of(points.begin(), points.end(), [&](const PlanePoint& r) {
      if (r == p) return true;
      const int turn = turn_of(p, q, r);
      const double ahead = (q.x - p.x) * (r.x - p.x) + (q.y - p.y) * (r.y - p.y);
      return turn > 0 || (turn == 0 && ahead > 0);
    });
    if (edge) return true;
  }
  return alone;
}

RC_GTEST_PROP(Hull, IsWhatBruteForceFinds, ()) {
  // Few values, so many points coincide and many lie on a line. Divided by 7, sums round.
  const int size = *rc::gen::inRange(1, 9);
  const double unit = *rc::gen::element(1.0, 1.0 / 7, 1e-170, 1e160);
  Points points;
  const int count = *rc::gen::inRange(1, 25);
  for (int i = 0; i < count; ++i)
    points.push_back({*rc::gen::inRange(0, size) * unit, *rc::gen::inRange(0, size) * unit});
  Points corners;
  Points scaled;  // the same points, small integers, so that the oracle's products are exact
  for (const PlanePoint& point : points) scaled.push_back({std::round(point.x / unit), std::round(point.y / unit)});
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool seen = std::find(corners.begin(), corners.end(), points[i]) != corners.end();
    if (!seen && is_corner(scaled, scaled[i])) corners.push_back(points[i]);
  }
  const Points hull = convex_hull(points);
  if (unit != 1.0 / 7) {  // k/7 rounds, so points of a line may bend there, and the hull shows it
    RC_ASSERT(hull.size() == corners.size());
    for (const PlanePoint& corner : corners) RC_ASSERT(std::find(hull.begin(), hull.end(), corner) != hull.end());
  }
  for (std::size_t i = 0; i < hull.size() && hull.size() > 2; ++i) {
    const PlanePoint &p = hull[i], &q = hull[(i + 1) % hull.size()];
    RC_ASSERT(turn_of(p, q, hull[(i + 2) % hull.size()]) == 1);
    for (const PlanePoint& point : points) RC_ASSERT(turn_of(p, q, point) >= 0);
  }
}

}  // namespace
}  // namespace linsep

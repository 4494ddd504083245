#include "picture/geometry/orientation.h"

#include <cmath>
#include <limits>

#include "exact/number.h"

namespace linsep {
namespace {

int exact_turn(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c) {
  const Rational ax(a.x), ay(a.y), bx(b.x), by(b.y), cx(c.x), cy(c.y);
  const Rational left = (bx - ax) * (cy - ay);
  const Rational right = (by - ay) * (cx - ax);
  return left > right ? 1 : left < right ? -1 : 0;
}

}  // namespace

int turn_of(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c) {
  const double left = (b.x - a.x) * (c.y - a.y);
  const double right = (b.y - a.y) * (c.x - a.x);
  const double difference = left - right;
  // Each product is of two rounded differences, which makes three roundings of ε/2 each, and one of the last
  // difference. 4ε covers them and what their products add. Below `kTiny` a product may have lost bits to underflow. At
  // the other end it overflows to an infinity or no number, for which the comparison is false.
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  constexpr double kTiny = 1e-280;
  const double size = std::abs(left) + std::abs(right);
  if (size > kTiny && std::abs(difference) > 4 * kEpsilon * size && std::isfinite(size)) return difference > 0 ? 1 : -1;
  return exact_turn(a, b, c);
}

}  // namespace linsep

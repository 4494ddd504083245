#include <algorithm>
#include <cmath>

#include "linsep/picture/geometry.h"

namespace linsep {

// Round numbers: 1, 2 or 5 times a power of ten.

namespace {

/// digit · 10^exponent. Multiples of it are worked out from integers, so that 3 · (1 · 10^−1) is the double 0.3.
struct RoundStep {
  int digit = 1;  ///< 1, 2 or 5
  int exponent = 0;

  /// k of them. Nearest to the exact value for exponents of ±22 and k below 2^50.
  [[nodiscard]] double times(double k) const;
  [[nodiscard]] RoundStep next() const {
    return digit == 1 ? RoundStep{2, exponent} : digit == 2 ? RoundStep{5, exponent} : RoundStep{1, exponent + 1};
  }
};

double power_of_ten(int exponent) {
  double power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

double RoundStep::times(double k) const {
  const double integer = k * digit;
  if (exponent < -300) return integer / power_of_ten(300) / power_of_ten(-exponent - 300);
  return exponent < 0 ? integer / power_of_ten(-exponent) : integer * power_of_ten(exponent);
}

/// The smallest round step that is at least `size`. REQUIRES: 0 < size, finite.
RoundStep round_step_at_least(double size) {
  RoundStep step;
  while (step.times(1) > size && step.exponent > -320) --step.exponent;
  while (step.times(1) < size) step = step.next();
  return step;
}

constexpr double kFar = 1e300;  ///< values beyond are shown at the edge, so that differences stay finite

struct Range {
  double low, high;
};

/// Widened by a twelfth on each side and then to multiples of a round step, about a twentieth of it.
Range rounded(Range of) {
  const double middle = of.low / 2 + of.high / 2;
  const double least = std::max(1.0, std::abs(middle)) * 1e-9;
  if (of.high - of.low <= least) {
    const double half = std::max(1.0, std::abs(middle) / 1000);
    of = {middle - half, middle + half};
  } else {
    const double wider = (of.high - of.low) / 12;
    of = {of.low - wider, of.high + wider};
  }
  const RoundStep step = round_step_at_least((of.high - of.low) / 50);
  const double unit = step.times(1);
  return {step.times(std::floor(of.low / unit)), step.times(std::ceil(of.high / unit))};
}

Range about_the_middle(Range of, double width) {
  const double middle = of.low / 2 + of.high / 2;
  return {middle - width / 2, middle + width / 2};
}

}  // namespace

Window window_around(std::span<const PlanePoint> points, double aspect) {
  bool any = false;
  Range x{}, y{};
  for (const PlanePoint& point : points) {
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
    const double px = std::clamp(point.x, -kFar, kFar), py = std::clamp(point.y, -kFar, kFar);
    x = any ? Range{std::min(x.low, px), std::max(x.high, px)} : Range{px, px};
    y = any ? Range{std::min(y.low, py), std::max(y.high, py)} : Range{py, py};
    any = true;
  }
  x = any ? rounded(x) : Range{-1, 1};
  y = any ? rounded(y) : Range{-1, 1};
  if (aspect > 0) {
    const double across = x.high - x.low, up = y.high - y.low;
    if (across < up * aspect) x = about_the_middle(x, up * aspect);
    if (across > up * aspect) y = about_the_middle(y, across / aspect);
  }
  return {x.low, x.high, y.low, y.high};
}

std::vector<double> round_ticks(double low, double high, int most) {
  std::vector<double> ticks;
  if (!(low < high) || most < 1 || !std::isfinite(high - low)) return ticks;
  for (RoundStep step = round_step_at_least((high - low) / (most + 1));; step = step.next()) {
    const double unit = step.times(1);
    // Quotients round, so take one more on either side, and let the ticks themselves decide.
    double first = std::ceil(low / unit) - 1, last = std::floor(high / unit) + 1;
    if (!(std::abs(first) < 0x1p50 && std::abs(last) < 0x1p50)) return ticks;  // doubles can't distinguish them
    while (step.times(first) < low) ++first;
    while (step.times(last) > high) --last;
    if (last - first + 1 > most) continue;
    for (double k = first; k <= last; ++k) ticks.push_back(step.times(k) + 0.0);
    return ticks;
  }
}

}  // namespace linsep

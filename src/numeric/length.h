// The length of a vector whose square may be beyond the range of doubles; std::hypot differs between C libraries.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "numeric/compensated_sum.h"

namespace linsep {

/// ‖v‖; infinite only where it is itself beyond the range.
inline double length_of(std::span<const double> v) {
  const double square = squared_length(v);
  if (square > 1e-280 && square < 1e280) return std::sqrt(square);
  double greatest = 0;
  for (const double x : v) greatest = std::max(greatest, std::fabs(x));
  if (greatest == 0 || !std::isfinite(greatest)) return greatest;
  const int exponent = std::ilogb(greatest);
  Sum sum;
  for (const double x : v) {
    const double scaled = std::ldexp(x, -exponent);
    sum.add(scaled * scaled);
  }
  return std::ldexp(std::sqrt(sum.value()), exponent);
}

}  // namespace linsep

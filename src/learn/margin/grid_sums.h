// Sums over rows of the entries of symmetric matrices, in doubles and yet the same bits in any order: terms are rounded
// to a common grid so coarse that adding them up rounds nothing.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "numeric/fixed_point.h"

namespace linsep {

/// Where (k, l), k ≤ l, stands in a triangle stored row after row: at begin(k) + l.
inline std::size_t triangle_begin(std::size_t k, std::size_t size) { return k * size - k * (k + 1) / 2; }
inline std::size_t triangle_size(std::size_t size) { return size * (size + 1) / 2; }

/// A term of a sum whose terms' sizes sum to at most ¼: whole multiples of 2⁻⁵², which add up without rounding.
inline double on_grid(double term) {
  constexpr double kShift = 1.5;
  return (term + kShift) - kShift;
}

/// The greatest power of two that isn't above x. REQUIRES: x > 0, finite.
inline double power_below(double x) { return std::ldexp(1.0, std::ilogb(x)); }

/// Adds up sums on the grid or in fixed point.
template <class Number>
void fold(std::vector<Number>& all, const std::vector<Number>& part) {
  for (std::size_t k = 0; k < all.size(); ++k) {
    if constexpr (std::is_same_v<Number, double>) {
      all[k] += part[k];
    } else {
      add_units(all[k], part[k]);
    }
  }
}

}  // namespace linsep

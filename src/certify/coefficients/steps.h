// How far a separator may go along each column: the cheapest proof that a column's sign isn't determined.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "certify/exact/solve.h"

namespace linsep {

struct ColumnSteps {
  /// The separator, up to a positive scale, with small weights at columns where it had none.
  IntegerVector base;
  /// By ascending column: base + step·e_column has z·w ≥ 0 on every row and the other sign at the column.
  std::vector<std::pair<std::uint32_t, Rational>> step;
};

/// `w` separates all rows, and each has lower[j] ≤ z_j/(z·w·2^−exponent) ≤ upper[j] (0 lies between).
ColumnSteps column_steps(const IntegerVector& w, std::int64_t exponent, const std::vector<double>& lower,
                         const std::vector<double>& upper);

}  // namespace linsep

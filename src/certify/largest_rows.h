// LargestRows: the rows whose ‖φ(x)‖ may be the greatest, so that a few exact readings give it.
//
// Sizes are kept as fraction and exponent: no square leaves their range. The first in the order of (size, row number)
// are kept, so neither the order of rows nor the number of workers changes them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "certify/exact/rows.h"
#include "certify/row_scaling.h"
#include "kernel/kernel.h"
#include "linsep/comm.h"

namespace linsep {

class LargestRows {
 public:
  /// `z` is a row as `scaling.show` gives it.
  template <class Row>
  void add(const RowScaling& scaling, const Row& z, std::int64_t number);
  /// Those of all workers.
  void synchronise(Comm& comm);

  /// Rows, ascending, one of which has the greatest ‖φ(x)‖. None: there are too many, or values too small to tell.
  std::vector<std::int64_t> rows(const RowScaling& scaling) const;
  /// No row's ‖φ(x)‖² is above this. 0: it isn't known.
  Rational squared_at_most(const RowScaling& scaling) const;

 private:
  /// fraction·2^exponent, the fraction in [1/2, 1).
  struct Size {
    std::int64_t exponent = INT64_MIN;
    double fraction = 0;
    std::int64_t number = -1;

    bool operator<(const Size& other) const {
      if (exponent != other.exponent) return exponent > other.exponent;
      if (fraction != other.fraction) return fraction > other.fraction;
      return number < other.number;
    }
    bool operator==(const Size& other) const = default;
  };
  static constexpr std::size_t kKept = 32;

  void keep(Size size);
  static double tolerance(const RowScaling& scaling) { return scaling.is_float ? 1e-5 : 1e-9; }
  bool known() const;

  std::vector<Size> size_;  ///< sorted, the greatest first
  double least_ = 0;        ///< smaller squares aren't kept
};

template <class Row>
void LargestRows::add(const RowScaling& scaling, const Row& z, std::int64_t number) {
  constexpr double kLeast = 1e-280;
  constexpr double kMost = 1e280;
  Size size;
  size.number = number;
  const double plain = scaling.mapped() ? 0 : squared_norm(z);
  int exponent = 0;
  if (plain > kLeast && plain < kMost) {
    if (plain < least_) return;
    size.fraction = std::frexp(plain, &exponent);
    size.exponent = exponent;
    return keep(size);
  }
  std::int64_t highest = INT64_MIN;
  const auto each = [&](auto&& f) {
    for_each_entry(z, [&](std::uint32_t column, double value) {
      if (value == 0) return;
      int e = 0;
      const double fraction = std::frexp(value, &e);
      f(fraction, std::int64_t{e} + (scaling.mapped() ? scaling.exponent[column] : 0));
    });
  };
  bool finite = true;
  each([&](double fraction, std::int64_t e) {
    highest = std::max(highest, e);
    finite = finite && std::isfinite(fraction);
  });
  if (highest == INT64_MIN) return;
  if (!finite) {  // whatever its size, nothing is known
    size.exponent = INT64_MAX;
    size.fraction = std::numeric_limits<double>::infinity();
    return keep(size);
  }
  double sum = 0;
  each([&](double fraction, std::int64_t e) {
    const double v = std::ldexp(fraction, static_cast<int>(std::max<std::int64_t>(e - highest, -2000)));
    sum += v * v;
  });
  size.fraction = std::frexp(sum, &exponent);
  size.exponent = 2 * highest + exponent;
  keep(size);
}

/// ‖φ(x)‖², exactly.
Rational squared_size(const ExactRow& z, const RowSpace& space);

}  // namespace linsep

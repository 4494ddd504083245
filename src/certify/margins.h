// Margins of given weights and sizes of rows, exactly. This finds the rows of largest norm, a classifier's smallest
// margin, and bounds in the form that certificates state.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "certify/exact/rows.h"
#include "certify/exact/solve.h"
#include "certify/row_scaling.h"
#include "exact/number.h"
#include "kernel/kernel.h"
#include "linsep/certificate.h"
#include "linsep/comm.h"
#include "linsep/pass.h"
#include "linsep/source.h"

namespace linsep {

/// The rows whose ‖φ(x)‖ may be the largest, so that a few exact readings give it.
///
/// Sizes are kept as fraction and exponent, so no square leaves their range. The first in the order of (size, row
/// number) are kept, so neither the order of rows nor the number of workers changes them.
class LargestRows {
 public:
  /// `z` is a row as `scaling.show` gives it.
  template <class Row>
  void add(const RowScaling& scaling, const Row& z, std::int64_t number);
  /// Combines those of all workers.
  void synchronise(Comm& comm);

  /// Rows, ascending, one of which has the largest ‖φ(x)‖. None if there are too many, or if values are too small to
  /// decide.
  std::vector<std::int64_t> rows(const RowScaling& scaling) const;
  /// No row's ‖φ(x)‖² is above this. 0 if it isn't known.
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

  std::vector<Size> size_;  ///< sorted, largest first
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

// Exact bounds on margins, as certificates state them.

/// Whether the source's values are binary, so that a batch shows them exactly. A table's values are only if all are
/// encoded as doubles. Begins a pass.
bool is_binary(Source& source);

/// A rational of about 60 bits that is at least (`up`) or at most `value`, or the value itself if that is short.
/// REQUIRES: value ≥ 0.
Rational short_bound(const Rational& value, bool up);

/// The double nearest to the square root on the safe side, which is at least (`up`) or at most it. Nothing beyond the
/// range of doubles. REQUIRES: value > 0.
std::optional<double> root_bound(const Rational& value, bool up);
/// The same for the value itself.
std::optional<double> double_bound(const Rational& value, bool up);

/// Sets `at_most_squared` and `alpha` from the bound that no separator has a margin above ‖Σ α_i y_i φ(x_i)‖ / Σ α_i,
/// where with an intercept both classes weigh the same. `support` has the α by row, made integers of `bits` bits.
/// `rows` are the same rows. False if a class is missing.
bool bound_from_hulls(const std::vector<std::pair<std::int64_t, double>>& support, const std::vector<ExactRow>& rows,
                      const RowSpace& space, int bits, MarginBounds& margin);

// ExactMargin is one pass that finds a classifier's smallest margin y·z over all rows, for the values as they were
// written.
//
// Every score is computed with a bound on its error, reading included (certify/row_scaling.h). Only rows whose score
// may be the smallest are read as written, and their scores are computed exactly. Each worker handles its own rows.

struct ExactMarginOptions {
  RowSpace space;
  std::vector<double> theta;  ///< over φ's columns
  double offset = 0;          ///< 0 through the origin
  bool binary = false;        ///< batches show the exact values
  std::function<std::vector<WrittenRow>(std::span<const std::int64_t>)> written;
};

class ExactMargin final : public Pass {
 public:
  explicit ExactMargin(ExactMarginOptions options);

  void begin(const Shape& shape) override;
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  Verdict end_pass(Progress& progress) override;

  /// The smallest y·z, or a number below it if too many rows may have it. Available after the pass.
  const Rational& least() const { return least_; }
  bool is_exact() const { return exact_; }
  /// ‖θ‖², exactly.
  Rational squared_norm() const;

 private:
  struct Undecided {
    std::int64_t row = 0;
    int sign = 1;
    double low = 0;  ///< y·z is at least this
  };

  template <class Row>
  void look_at(const Row& z, std::int64_t number, int sign);
  void prune();
  /// The smallest y·z as written, among the rows that may have it. Nothing if there are none.
  std::optional<Rational> least_as_written() const;

  ExactMarginOptions options_;
  RowScaling scaling_;
  ScanWeights scan_;
  double least_high_ = 0;  ///< some y·z is at most this
  std::vector<Undecided> undecided_;
  Rational least_ = 0;
  bool exact_ = false;
};

}  // namespace linsep

// QuickForm computes w·(φ(x), 1) of a batch's rows in floating point, with a bound on how far that can be from the
// exact value of the row as it was written.
//
// It relies on two facts. A stored value is the float or double nearest to what was written, or is exactly that. A
// nonzero value that was written as text isn't stored as a subnormal double. Everything beyond (overflow, weights too
// far apart) makes the bound infinite, never wrong.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "linsep/batch.h"
#include "proof/verify.h"

namespace linsep {

/// A value and a bound on its error. If `empty`, no column of the row has a weight, so the value is exactly 0.
struct Approximation {
  double value = 0;
  double error = 0;
  bool empty = true;

  bool above_zero() const { return value - error > 0; }
  bool below_zero() const { return value + error < 0; }
};

/// A raw row of a batch, spread out so that columns can be looked up.
class SpreadRow {
 public:
  explicit SpreadRow(std::uint32_t features) : value_(features, 0.0) {}

  template <class Row>
  void set(const Row& row) {
    for (const std::uint32_t column : column_) value_[column] = 0;
    column_.clear();
    is_float_ = sizeof(typename Row::Value) == sizeof(float);
    for_each_entry(row, [&](std::uint32_t column, double value) {
      if (value == 0 || column >= value_.size()) return;
      column_.push_back(column);
      value_[column] = value;
    });
  }
  double operator[](std::uint32_t column) const { return value_[column]; }
  bool is_float() const { return is_float_; }

 private:
  std::vector<double> value_;
  std::vector<std::uint32_t> column_;
  bool is_float_ = false;
};

class QuickForm {
 public:
  QuickForm(const Columns& columns, const Vector& weights);

  /// The value is the form's divided by 2^exponent(). REQUIRES: there is a map.
  Approximation value(const SpreadRow& row) const;
  /// The same for a batch's row. REQUIRES: there is no map.
  template <class Row>
  Approximation value(const Row& row) const;
  /// The exponent of two by which the weights were scaled. The largest scaled weight is near 1.
  int exponent() const { return exponent_; }
  double offset() const { return offset_; }
  /// False if the weights are too far apart for doubles, so that no value is known.
  bool usable() const { return usable_; }
  /// The scaled weight of a raw column, or 0 if it has none. REQUIRES: no map.
  double weight(std::uint32_t column) const { return column < table_.size() ? table_[column] : 0; }

 private:
  struct Term {
    double weight = 0;
    std::vector<std::uint32_t> factors;
  };
  /// The sum of the terms, the sum of their sizes, and how many there are.
  struct Sum {
    double value = 0, size = 0, count = 1;
    bool empty = true;
  };

  void add_weight(const Columns& columns, std::uint32_t column, double weight);
  Approximation bounded(const Sum& sum, double degree, bool is_float) const;

  int exponent_ = 0;
  bool usable_ = true;  // false if the weights are too far apart for doubles
  bool mapped_ = false;
  double offset_ = 0;
  double total_ = 0;           // Σ |weight|
  std::vector<double> table_;  // by raw column, without a map
  std::vector<Term> terms_;    // with one
};

template <class Row>
Approximation QuickForm::value(const Row& row) const {
  Sum sum{offset_, std::fabs(offset_), 1 + static_cast<double>(row.size), offset_ == 0};
  const std::size_t known = table_.size();
  for_each_entry(row, [&](std::uint32_t column, double value) {
    if (column >= known) return;
    const double term = table_[column] * value;
    sum.value += term;
    sum.size += std::fabs(term);
    sum.empty = sum.empty && (table_[column] == 0 || value == 0);
  });
  return bounded(sum, 1, sizeof(typename Row::Value) == sizeof(float));
}

/// An upper bound on ‖x‖² of the row as written, of at most `features` values. It isn't finite if the values leave it
/// open. A float is within half a unit in its last place of what was written, and what was stored as 0 was below 2⁻¹⁴⁹.
template <class Row>
double squared_norm_at_most(const Row& row, std::uint32_t features) {
  constexpr bool kIsFloat = sizeof(typename Row::Value) == sizeof(float);
  double sum[4] = {};
  std::size_t k = 0;
  for_each_entry(row, [&](std::uint32_t, double value) { sum[k++ % 4] += value * value; });
  const auto count = static_cast<double>(row.size);
  const double stored = kIsFloat ? 0x1p-22 : 0;
  const double lost = kIsFloat ? features * 0x1p-140 : count * 0x1p-1022;
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) * (1 + stored + (count + 8) * 0x1p-52) + lost;
}

}  // namespace linsep

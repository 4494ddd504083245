// DirectionSpace: where the directions of a logistic regression lie, the w with z·w ≥ 0 on all rows.
//
// Every one of them is 0 on the rows at zero (finder/separability.h). There each dependent column c is a sum of columns
// that aren't dependent, so these w are the sums of the vectors e_c − (its sum), one number f_c for each dependent
// column: w = lift(f). A row z is seen as lift^T z, its rest, and the weight of column j as row j of lift. Without rows
// at zero lift is the identity. All over integers, up to positive scales.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "certify/exact/rows.h"
#include "certify/exact/solve.h"
#include "certify/finder/separability.h"

namespace linsep {

class DirectionSpace {
 public:
  /// Of `columns` columns. `rows_at_zero`: there are some, and `dependent` has all columns that depend there.
  DirectionSpace(std::uint32_t columns, bool rows_at_zero, const std::vector<Separability::Dependent>& dependent);

  std::uint32_t columns() const { return static_cast<std::uint32_t>(place_.size()); }
  /// How many numbers f has, and the columns that they stand for.
  std::size_t size() const { return free_.size(); }
  const std::vector<std::uint32_t>& free_columns() const { return free_; }
  /// All w: lift is the identity.
  bool whole() const { return whole_; }
  /// Every direction is 0 at the column.
  bool fixed(std::uint32_t column) const { return place_[column] < 0 && relation_[column].empty(); }

  /// A positive multiple of lift(f), over all columns.
  IntegerVector lift(const IntegerVector& f) const;
  /// lift^T z, exactly: columns are those of f.
  ExactRow rest(const ExactRow& z) const;
  /// A positive multiple of the row of lift that gives the weight at `column`, times `sign`; its number is `row`.
  ExactRow weight_at(std::uint32_t column, int sign, std::int64_t row) const;
  /// The row of lift that gives the weight at `column`, in floating point.
  std::vector<std::pair<std::uint32_t, double>> lift_row(std::uint32_t column) const;

 private:
  bool whole_;
  std::vector<std::uint32_t> free_;
  std::vector<std::int32_t> place_;  ///< by column: its index in free_, or −1
  /// By column that isn't free: the entries of its row of lift, times denominator_.
  std::vector<std::vector<std::pair<std::uint32_t, Integer>>> relation_;
  Integer denominator_ = 1;
};

}  // namespace linsep

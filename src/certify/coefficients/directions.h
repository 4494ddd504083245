// Directions of a logistic regression: the space they lie in, one that separates, and others tried on all rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "certify/exact/rows.h"
#include "certify/exact/solve.h"
#include "certify/finder/state.h"
#include "certify/row_scaling.h"
#include "linsep/pass.h"

namespace linsep {

/// The space of the directions of a logistic regression, which are the w with z·w ≥ 0 on all rows.
///
/// Every direction is 0 on the rows at zero (finder/state.h). There each dependent column c is a sum of columns that
/// aren't dependent. So these w are the sums of the vectors e_c − (its sum), with one number f_c for each dependent
/// column, w = lift(f). A row z is seen as lift^T z, its rest, and the weight of column j as row j of lift. Without
/// rows at zero lift is the identity. Everything is over integers, up to positive scales.
class DirectionSpace {
 public:
  /// A space of `columns` columns. `rows_at_zero` is whether there are any, and `dependent` has all columns that depend
  /// there.
  DirectionSpace(std::uint32_t columns, bool rows_at_zero, const std::vector<Separability::Dependent>& dependent);

  std::uint32_t columns() const { return static_cast<std::uint32_t>(place_.size()); }
  /// How many numbers f has, and the columns that they belong to.
  std::size_t size() const { return free_.size(); }
  const std::vector<std::uint32_t>& free_columns() const { return free_; }
  /// True if it has all w, so that lift is the identity.
  bool whole() const { return whole_; }
  /// Whether every direction is 0 at the column.
  bool fixed(std::uint32_t column) const { return place_[column] < 0 && relation_[column].empty(); }

  /// A positive multiple of lift(f), over all columns.
  IntegerVector lift(const IntegerVector& f) const;
  /// lift^T z, exactly. Its columns are those of f.
  ExactRow rest(const ExactRow& z) const;
  /// A positive multiple of the row of lift that gives the weight at `column`, times `sign`. Its number is `row`.
  ExactRow weight_at(std::uint32_t column, int sign, std::int64_t row) const;
  /// The row of lift that gives the weight at `column`, in floating point.
  std::vector<std::pair<std::uint32_t, double>> lift_row(std::uint32_t column) const;

 private:
  bool whole_;
  std::vector<std::uint32_t> free_;
  std::vector<std::int32_t> place_;  ///< by column: its index in free_, or −1
  /// For each column that isn't free, the entries of its row of lift, times denominator_.
  std::vector<std::vector<std::pair<std::uint32_t, Integer>>> relation_;
  Integer denominator_ = 1;
};

// LevelSizes is one pass that turns levels into a single weight vector, which has z·w > 0 on every separated row.
//
// The entries of a row's first level all pull the right way. So w = Σ 2^a·level, with exponents a that let them
// outweigh the row's later levels whatever these are. The pass finds how large the later levels can be compared with
// the first level's pull, by size alone. Every column has a weight in at most one level, because peeled columns are 0
// on the rows that are left.

/// Whether the levels separate a row of this worker, by its number.
using SeparatedRows = std::function<bool(std::int64_t)>;

class LevelSizes final : public Pass {
 public:
  using Level = std::vector<std::pair<std::uint32_t, Integer>>;

  LevelSizes(RowScaling scaling, SeparatedRows separated, std::vector<Level> levels);

  void begin(const Shape& shape) override;
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  Verdict end_pass(Progress& progress) override;

  /// After the pass: w over all columns. Empty if sizes are too far apart.
  IntegerVector combined() const;

 private:
  template <class Row>
  void look_at(const Row& z);

  RowScaling scaling_;
  SeparatedRows separated_;
  std::vector<Level> levels_;
  std::vector<std::size_t> level_of_;  ///< by column. levels_.size() if it is in no level
  std::vector<std::int64_t> size_;     ///< by column. Its weight is below 2 to this, times entries as `show` gives them
  std::vector<std::int64_t> exponent_;  ///< by level. Its largest weight is below 2 to this
  std::vector<double> greatest_;        ///< by first and later level: log2 of the largest ratio of their sizes on a row
  std::vector<std::int64_t> top_;       ///< by level, of the row looked at
};

// DirectionScan is one pass that tries weight vectors on all separated rows. It finds the rows with z·w < 0, as
// written.
//
// Every score has a bound on its error (row_scaling.h). Rows that it leaves open are read again and judged exactly, so
// a vector without violated rows is a direction. The first vector must have z·w > 0 on all of these rows. For it the
// pass also finds how far it may go along each column, and which rows are nearest.

/// An integer weight vector in the form in which a scan multiplies with it. The doubles are the integers times
/// 2^−exponent, rounded.
struct ScanDirection {
  IntegerVector exact;  ///< over all columns
  ScanWeights scan;
  std::int64_t exponent = 0;
};
ScanDirection scan_direction(const RowScaling& scaling, IntegerVector exact);

struct DirectionScanOptions {
  RowScaling scaling;
  SeparatedRows separated;
  /// Reads rows (ascending) of this worker exactly. The result is valid until the next call.
  std::function<std::vector<const ExactRow*>(const std::vector<std::int64_t>&)> read;
  std::size_t most_rows = 64;  ///< violated, or nearest, that are named for one vector
  bool steps = false;          ///< `nearest`, `upper` and `lower` are wanted
};

class DirectionScan final : public Pass {
 public:
  using Scored = std::pair<double, std::int64_t>;

  DirectionScan(DirectionScanOptions options, std::vector<IntegerVector> directions);

  void begin(const Shape& shape) override;
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  Verdict end_pass(Progress& progress) override;

  // After the pass.

  /// False if too many rows were left open, so that nothing is known.
  bool conclusive() const { return conclusive_; }
  /// Ascending, and only the worst if there are many. If there are none, the vector is a direction.
  std::vector<std::int64_t> violated(std::size_t direction) const;
  /// Rows in which the first vector has the smallest z·w for the row's size, ascending.
  std::vector<std::int64_t> nearest() const;
  /// Every separated row has lower[j] ≤ z_j/(z·w) ≤ upper[j] under the first vector w in its doubles' unit. A bound is
  /// infinite if it isn't known. By column.
  const std::vector<double>& lower() const { return lower_; }
  const std::vector<double>& upper() const { return upper_; }
  /// The unit, which means that the doubles are the first vector's integers times 2^−this.
  std::int64_t exponent() const { return direction_.front().exponent; }

 private:
  /// The rows with the lowest scores.
  struct Least {
    std::vector<Scored> row;
    void offer(double score, std::int64_t number, std::size_t limit);
    void shrink(std::size_t limit);
    void synchronise(Comm& comm, std::size_t limit);
  };

  template <class Row>
  void look_at(const Row& z, std::int64_t number, int sign);
  template <class Row>
  void add_steps(const Row& z, double inverse);
  void add_exact_steps(const ExactRow& z, const Integer& score);
  void judge_open_rows(Comm& comm);
  void finish_steps(Comm& comm);

  DirectionScanOptions options_;
  std::vector<ScanDirection> direction_;
  std::vector<Least> violated_;
  Least nearest_;
  std::vector<std::int64_t> open_;
  std::vector<double> lower_, upper_;  ///< for rows as `show` gives them, until the pass has ended
  double greatest_inverse_ = 0;
  bool conclusive_ = false;
};

// How far a separator may go along each column. This is the cheapest proof that a column's sign isn't determined.

struct ColumnSteps {
  /// The separator, up to a positive scale, with small weights at columns where it had none.
  IntegerVector base;
  /// By ascending column. base + step·e_column has z·w ≥ 0 on every row and the other sign at the column.
  std::vector<std::pair<std::uint32_t, Rational>> step;
};

/// REQUIRES: `w` separates all rows, and each has lower[j] ≤ z_j/(z·w·2^−exponent) ≤ upper[j] (0 lies between).
ColumnSteps column_steps(const IntegerVector& w, std::int64_t exponent, const std::vector<double>& lower,
                         const std::vector<double>& upper);

}  // namespace linsep

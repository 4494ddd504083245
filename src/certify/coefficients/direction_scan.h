// DirectionScan: one pass that tries weight vectors on all separated rows: which rows have z·w < 0, as written?
//
// Every score has a bound on its error (row_scaling.h); rows that it leaves open are read again and judged exactly, so
// a vector without violated rows is a direction. Of the first vector, which must have z·w > 0 on all of them, the pass
// can also say how far it may go along each column, and which rows stand nearest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "certify/coefficients/level_sizes.h"
#include "certify/exact/solve.h"
#include "certify/row_scaling.h"
#include "linsep/pass.h"

namespace linsep {

/// An integer weight vector as a scan multiplies with it: the doubles are the integers times 2^−exponent, rounded.
struct ScanDirection {
  IntegerVector exact;  ///< over all columns
  ScanWeights scan;
  std::int64_t exponent = 0;
};
ScanDirection scan_direction(const RowScaling& scaling, IntegerVector exact);

struct DirectionScanOptions {
  RowScaling scaling;
  SeparatedRows separated;
  /// Rows (ascending) of this worker exactly; valid until the next call.
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

  /// False: too many rows were left open, and nothing is known.
  bool told() const { return told_; }
  /// Ascending; the worst where they are many. None: the vector is a direction.
  std::vector<std::int64_t> violated(std::size_t direction) const;
  /// Rows in which the first vector has the least z·w for the row's size, ascending.
  std::vector<std::int64_t> nearest() const;
  /// Every separated row has lower[j] ≤ z_j/(z·w) ≤ upper[j] under the first vector w in its doubles' unit; infinite
  /// where that isn't known. By column.
  const std::vector<double>& lower() const { return lower_; }
  const std::vector<double>& upper() const { return upper_; }
  /// The unit: the doubles are the first vector's integers times 2^−this.
  std::int64_t exponent() const { return direction_.front().exponent; }

 private:
  /// The rows with the least scores.
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
  bool told_ = false;
};

}  // namespace linsep

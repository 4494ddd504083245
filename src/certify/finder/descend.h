// Descend is the finder's third phase if the core has too many columns for a working set with exact arithmetic. It
// makes passes of coordinate descent (MarginDescent), and a scan under its weights when they deserve one. If it goes on
// for long, a witness is searched for once (SparseFinish). It ends when a scan finds every margin positive, when a
// witness is at hand, or when passes or the caller's patience run out.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "certify/exact/solve.h"
#include "certify/exact/witness.h"
#include "certify/finder/row_scan.h"
#include "certify/finder/state.h"
#include "certify/row_scaling.h"
#include "certify/sparse_witness.h"
#include "core/bytes.h"
#include "kernel/kernel.h"
#include "linsep/comm.h"
#include "linsep/pass.h"

namespace linsep {

// MarginDescent searches for a separator if there are too many columns for a working set with exact arithmetic.
//
// Problem: min ½‖w‖² with z_i·w ≥ 1 on all rows.
// Method: Coordinate descent on its dual (Hsieh et al. 2008, without a bound on α), rows in order:
// α_i += max(−α_i, (1 − z_i·w)/‖z_i‖²), w = Σ α_i z_i. One pass is one sweep. w is dense, and α has one number per row.
// If the rows are separable, it converges to the largest margin (columns scaled). If they aren't, α grows without end
// and ‖w‖/Σα, a bound on the margin, goes to 0.

class MarginDescent {
 public:
  /// `rows` is how many rows this worker has.
  MarginDescent(const RowScaling& scaling, std::size_t rows);

  /// One step on this worker's row `at`, from 0, with `z` as RowScaling shows it.
  template <class Row>
  void step(const Row& z, std::size_t at, int sign) {
    if (square_[at] == 0) square_[at] = static_cast<float>(scaling_.scaled_square(z));
    const double score = sign * (dot(z, weight_.data()) + offset_);
    if (score <= 0) ++slips_;
    const double wanted = (1 - score) / static_cast<double>(square_[at]);
    const double change = wanted < -alpha_[at] ? -alpha_[at] : wanted;
    if (change == 0 || !(change > -1e300 && change < 1e300)) return;
    alpha_[at] += change;
    const double step = change * sign;
    for_each_entry(
        z, [&](std::uint32_t column, double value) { weight_[column] += step * value * scale_square_[column]; });
    offset_ += step * offset_square_;
  }

  /// Ends a pass. Workers resume from the mean of their weights. Returns whether the weights deserve a scan.
  bool end_pass(Comm& comm, std::int64_t rows);

  std::int64_t passes() const { return passes_; }

  /// The weights of scaled columns for a scan, one for each column of z.
  std::vector<double> scaled_weights() const;
  /// The state between two passes. `load` throws an input Error if the bytes aren't those of a descent on as many rows
  /// and columns.
  void save(ByteWriter& writer) const;
  void load(ByteReader& reader);

  /// This worker's rows with the largest α, ascending, at most `limit` of them.
  std::vector<std::pair<std::size_t, double>> support(std::size_t limit) const;

 private:
  const RowScaling& scaling_;
  std::vector<double> weight_;  ///< what a row as RowScaling shows it is multiplied with
  double offset_ = 0;
  std::vector<double> scale_square_;  ///< from a step in scaled columns to one in those weights
  double offset_square_ = 0;
  std::vector<double> alpha_;
  std::vector<float> square_;
  std::int64_t slips_ = 0, passes_ = 0;
};

/// Weights of scaled columns as integers of few bits. The rounding changes no score by more than half of `share` times
/// the row's norm, for rows of at most `entries` entries. The weights are the integers times `unit`.
struct ShortWeights {
  std::vector<double> scaled;
  double unit = 1;
};
ShortWeights shorten(const std::vector<double>& scaled, double share, std::size_t entries);

// SparseFinish searches for a witness among the live rows if there are too many columns for dense exact arithmetic
// (sparse_witness.h).
//
// One pass takes in the live rows, as floats. Then every worker does the same work on the rows of all. It takes twelve
// bytes per entry, and if that would be too much, nothing is searched. Floats can't detect that a witness needs a row
// with 10⁻¹⁶ of the others' weight. So if no support can be made exact, the rows within the columns of a small one are
// searched exactly (core_search.h).

class SparseFinish {
 public:
  explicit SparseFinish(FinderState& state);

  /// Takes in a live row, with `z` as RowScaling shows it.
  template <class Row>
  void take(const Row& z, std::int64_t number, int sign) {
    if (too_many_) return;
    const RowScaling& scaling = state_.scaling;
    for_each_entry(z, [&](std::uint32_t column, double value) {
      if (value != 0) put(column, sign * (scaling.mapped() ? value : value * scaling.column_scale[column]));
    });
    if (!scaling.space.origin)
      put(scaling.space.mapped, sign * std::ldexp(1.0, -scaling.exponent[scaling.space.mapped]));
    rows_.end_row(number);
    if (rows_.entries() > kMostEntries) give_up();
  }

  /// Whether there are few enough columns to search for the span of all live rows too. Checking it costs their cube.
  static bool wants_span(std::size_t columns) { return columns <= kMostSpan; }

  /// Searches for a witness among the rows of all workers, unless `known` is set because there already is one. Then, if
  /// there are few enough columns, searches for one that spans all live rows. Collective. Leaves no rows.
  void finish(bool known, Comm& comm);

  bool stopped() const { return stopped_; }  ///< the deadline has expired
  const Witness& witness() const { return witness_; }
  /// Rows of the witness, ascending, that span all live rows, or none.
  const std::vector<std::int64_t>& basis() const { return basis_; }
  /// Why there is no witness, in words. May be empty.
  const std::string& obstacle() const { return obstacle_; }
  /// Makes it one that has found nothing, for this reason.
  void set_obstacle(std::string obstacle) { obstacle_ = std::move(obstacle); }

 private:
  static constexpr std::size_t kMostEntries = std::size_t{1} << 25;
  static constexpr std::size_t kMostSpan = 4096;
  /// The limits of the exact search.
  static constexpr std::size_t kMostExactColumns = 256, kMostExactRows = 4096;

  void put(std::uint32_t column, double value) {
    rows_.column.push_back(column);
    rows_.value.push_back(value);
  }
  void give_up();
  void gather(Comm& comm);
  bool make_exact(const Support& support, Comm& comm);
  bool search_exactly(const Support& support, Comm& comm);
  void look_for_span(Comm& comm);

  FinderState& state_;
  UnitRows rows_;
  Witness witness_;
  std::vector<std::int64_t> basis_;
  std::string obstacle_;
  bool too_many_ = false, stopped_ = false;
};

class Descend final : public Pass {
 public:
  /// REQUIRES: the state's rounds of signs have reached the core.
  explicit Descend(FinderState& state);

  /// The work before the first pass, which checks whether single rows or pairs are a witness. Collective.
  void start(Comm& comm);
  /// The state between two passes. `resume` replaces `start` and restores it. It throws an input Error. Collective.
  void save(ByteWriter& writer) const;
  void resume(ByteReader& reader, Comm& comm);
  /// True if no further pass is wanted.
  bool done() const { return done_; }

  void begin(const Shape& shape) override;
  void visit(const Batch& batch) override;
  void synchronise(Comm& comm) override;
  Verdict end_pass(Progress& progress) override;

  void add_to(Separability& found) const;

 private:
  RowSide judge(const ExactRow& z);
  void end_descent(Comm& comm);
  void end_scan(Comm& comm);
  void begin_gathering();
  void begin_scan();
  void end_gathering(Comm& comm);
  void end_with_witness();
  void add_weights(Separability& found) const;
  void add_span(Separability& found) const;
  IntegerVector unscaled(std::vector<double> scaled, double* unit) const;

  FinderState& state_;
  std::optional<MarginDescent> descent_;
  RowScan rows_;
  std::vector<std::uint32_t> columns_;  ///< of z, all
  std::vector<double> scaled_;          ///< the weights of the last scan, for scaled columns
  IntegerVector exact_;                 ///< the same, unscaled, up to a positive scale
  double least_share_ = 0;              ///< a row's margin per size in the last scan is at least this. 0 if not known
  std::optional<SparseFinish> finish_;
  Witness witness_;
  std::vector<std::int64_t> basis_;  ///< rows of the witness that span all live rows, or none
  std::string ran_out_;
  bool several_workers_ = false;
  enum class Doing : std::uint8_t { kDescent, kScan, kGathering } doing_ = Doing::kDescent;
  bool scanned_ = false, done_ = false, proven_ = false;
};

}  // namespace linsep

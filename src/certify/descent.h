// MarginDescent: the search for a separator where columns are too many for a working set with exact arithmetic.
//
// Problem: min ½‖w‖² with z_i·w ≥ 1 on all rows. Method: coordinate descent on its dual (Hsieh et al. 2008, without a
// bound on α), rows in order: α_i += max(−α_i, (1 − z_i·w)/‖z_i‖²), w = Σ α_i z_i. One pass is one sweep; w is dense, α
// one number per row. Where the rows are separable it converges to the greatest margin (columns scaled); where they
// aren't, α grows without end and ‖w‖/Σα, a bound on the margin, goes to 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "certify/exact/solve.h"
#include "certify/row_scaling.h"
#include "core/bytes.h"
#include "kernel/kernel.h"
#include "linsep/comm.h"

namespace linsep {

class MarginDescent {
 public:
  /// `rows` of this worker.
  MarginDescent(const RowScaling& scaling, std::size_t rows);

  /// One step on this worker's row `at`, from 0; `z` as RowScaling shows it.
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

  /// Ends a pass: workers resume from the mean of their weights. Returns whether the weights deserve a scan.
  bool end_pass(Comm& comm, std::int64_t rows);

  std::int64_t passes() const { return passes_; }

  /// For a scan: weights of scaled columns, one for each column of z.
  std::vector<double> scaled_weights() const;
  /// What passes have made of it. `load` throws an input Error where the bytes aren't those of a descent on as many
  /// rows and columns.
  void save(ByteWriter& writer) const;
  void load(ByteReader& reader);

  /// This worker's rows with the greatest α, ascending; at most `limit`.
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

/// Weights of scaled columns as integers of few bits: a rounding that changes no score by more than half of `share`
/// times the row's norm, for rows of at most `entries` entries. `unit` is what the integers are multiples of.
struct ShortWeights {
  std::vector<double> scaled;
  double unit = 1;
};
ShortWeights shorten(const std::vector<double>& scaled, double share, std::size_t entries);

}  // namespace linsep

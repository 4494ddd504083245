// RowScan computes every row's margin under given weights, with a bound on its rounding and reading error. Rows that
// the bound leaves open are judged exactly, as written.
//
// A scan in which every margin is certainly positive is the proof. Once a row is certainly on the wrong side, open rows
// are no longer judged. It takes two bytes per row.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "certify/exact/rows.h"
#include "certify/finder/state.h"
#include "certify/margins.h"
#include "certify/row_scaling.h"
#include "kernel/kernel.h"
#include "linsep/comm.h"

namespace linsep {

/// The bytes that a worker sent, in the form that ByteReader takes.
inline std::string_view as_text(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Reads rows (ascending) of all workers exactly. Collective. REQUIRES: the same rows on every worker.
std::vector<ExactRow> read_exactly(const FinderState& state, const std::vector<std::int64_t>& rows, Comm& comm);

/// The smallest of the workers' row numbers, where −1 means none. Collective.
std::int64_t first_of_all(std::int64_t row, Comm& comm);

/// The first `limit` of all workers' row numbers, ascending, each once. Collective.
std::vector<std::int64_t> gather_rows(const std::vector<std::int64_t>& mine, Comm& comm, std::size_t limit);

class RowScan {
 public:
  /// The side on which the exact weights leave a row.
  using Judge = std::function<RowSide(const ExactRow&)>;

  RowScan(FinderState& state, Judge judge);

  void begin(ScanWeights weights);

  /// Calls `tell(z, sign, score, score per size)` if floats determine the sign of the margin, with z as RowScaling
  /// shows the row.
  template <class Row, class F>
  void look_at(const Row& x, std::int64_t number, F&& tell);
  /// Adds a row that lies on the wrong side although the search has it.
  void add_violated(std::int64_t number) {
    if (violated_.size() < kMostViolated) violated_.push_back(number);
  }

  /// Judges the open rows and adds up over all workers.
  void synchronise(Comm& comm);

  std::int64_t positive() const { return positive_; }
  std::int64_t negative() const { return negative_; }  ///< as floats show
  /// Rows of this worker that the exact weights leave on the wrong side. Not all of them if there are many.
  const std::vector<std::int64_t>& violated() const { return violated_; }
  /// How many of the rows looked at in the last whole scan the weights don't separate.
  std::int64_t not_positive() const { return not_positive_; }
  /// A lower bound on the margins whose sign floats could tell.
  double least() const { return least_; }
  /// Adds what all scans have shown about max ‖φ(x_i)‖.
  void add_radius(Separability& found) const;
  std::size_t most_entries() const { return most_entries_; }  ///< of a row, over all scans

 private:
  static constexpr std::size_t kMostViolated = 4096;

  template <class Row>
  void measure(const Row& z, std::size_t index);
  template <class Row>
  void leave_open(const Row& x, std::int64_t number);
  void judge(const ExactRow& z);
  void judge_open_rows();

  FinderState& state_;
  Judge judge_;
  std::vector<std::int16_t> exponent_;  ///< per row: exponent of its scaled norm
  LargestRows largest_;
  std::size_t most_entries_ = 0;
  std::int64_t not_positive_ = 0;

  // The weights of the scan under way.
  ScanWeights weights_;
  double least_ = 0;
  std::int64_t negative_ = 0, positive_ = 0;
  std::vector<std::int64_t> open_, violated_;
};

// A row beyond the range of doubles gets no exponent and is judged exactly in every scan.
template <class Row>
void RowScan::measure(const Row& z, std::size_t index) {
  exponent_[index] = RowScaling::size_exponent(state_.scaling.scaled_square(z));
  largest_.add(state_.scaling, z, state_.rows.first() + static_cast<std::int64_t>(index));
}

template <class Row>
void RowScan::leave_open(const Row& x, std::int64_t number) {
  if (negative_ > 0) return;
  if (!state_.scaling.binary || state_.scaling.mapped()) {
    open_.push_back(number);
    return;
  }
  WrittenRow written;
  written.row = number;
  for_each_entry(x, [&](std::uint32_t column, double value) {
    if (value != 0) written.values.push_back({column, "", value});
  });
  judge(exact_row(written, state_.rows.sign_of(number), state_.scaling.space));
}

template <class Row, class F>
void RowScan::look_at(const Row& x, std::int64_t number, F&& tell) {
  const std::size_t index = state_.rows.index_of(number);
  if (!state_.rows.undecided(index)) return;
  state_.scaling.show(x, [&](const auto& z) {
    if (exponent_[index] == RowScaling::kNoExponent) measure(z, index);
    most_entries_ = std::max(most_entries_, z.size);
    const int sign = state_.rows.sign(index);
    const double score = sign * (dot(z, weights_.weight.data()) + weights_.offset);
    if (exponent_[index] == RowScaling::kNoExponent || !std::isfinite(score)) return leave_open(x, number);
    const double size = std::ldexp(1.0, exponent_[index]);
    const double bound = weights_.bound(z.size, size);
    if (score > bound) {
      ++positive_;
      least_ = std::min(least_, score - bound);
    } else if (score < -bound) {
      ++negative_;
    } else {
      return leave_open(x, number);
    }
    tell(z, sign, score, score / size);
  });
}

}  // namespace linsep

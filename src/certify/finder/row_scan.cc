#include "certify/finder/row_scan.h"

#include <array>
#include <limits>
#include <span>
#include <utility>

#include "linsep/comm.h"

namespace linsep {
namespace {

constexpr std::size_t kJudgedAtOnce = 8192;

}  // namespace

RowScan::RowScan(FinderState& state, Judge judge)
    : state_(state), judge_(std::move(judge)), exponent_(state.rows.size(), RowScaling::kNoExponent) {}

void RowScan::begin(ScanWeights weights) {
  weights_ = std::move(weights);
  least_ = std::numeric_limits<double>::infinity();
  negative_ = positive_ = 0;
  open_.clear();
  violated_.clear();
}

void RowScan::judge(const ExactRow& z) {
  switch (judge_(z)) {
    case RowSide::kPositive:
      ++positive_;
      return;
    case RowSide::kAtZero:
      state_.rows.set_at_zero(state_.rows.index_of(z.row));
      return;
    case RowSide::kViolated:
      violated_.push_back(z.row);
      return;
  }
}

void RowScan::judge_open_rows() {
  for (std::size_t from = 0; from < open_.size() && violated_.size() < kMostViolated; from += kJudgedAtOnce) {
    const std::size_t count = std::min(kJudgedAtOnce, open_.size() - from);
    for (const WrittenRow& written : state_.options.written(std::span(open_).subspan(from, count))) {
      judge(exact_row(written, state_.rows.sign_of(written.row), state_.scaling.space));
    }
  }
}

void RowScan::synchronise(Comm& comm) {
  negative_ = all_reduce_sum(comm, negative_);
  if (negative_ == 0) judge_open_rows();
  open_.clear();
  positive_ = all_reduce_sum(comm, positive_);
  std::array<double, 2> extremes = {-least_, static_cast<double>(most_entries_)};
  comm.all_reduce(std::span<double>(extremes), Comm::Op::kMax);
  least_ = -extremes[0];
  most_entries_ = static_cast<std::size_t>(extremes[1]);
  largest_.synchronise(comm);
  not_positive_ = negative_ + all_reduce_sum(comm, static_cast<std::int64_t>(violated_.size()));
}

void RowScan::add_radius(Separability& found) const {
  found.largest = largest_.rows(state_.scaling);
  found.radius_squared = largest_.squared_at_most(state_.scaling);
}

}  // namespace linsep

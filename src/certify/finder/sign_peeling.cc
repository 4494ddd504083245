#include "certify/finder/sign_peeling.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "linsep/comm.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {

void SignPeeler::synchronise(Comm& comm) {
  if (comm.size() == 1) return;
  grow(static_cast<std::uint32_t>(all_reduce_max(comm, static_cast<std::int64_t>(seen_.size()))));
  const auto gathered = comm.all_gather(std::as_bytes(std::span(seen_)));
  for (const auto& bytes : gathered) {
    for (std::size_t j = 0; j < bytes.size(); ++j) seen_[j] |= static_cast<std::uint8_t>(bytes[j]);
  }
}

bool SignPeeler::end_round() {
  Level level;
  std::fill(chosen_.begin(), chosen_.end(), std::uint8_t{0});
  for (std::size_t j = 0; j < seen_.size(); ++j) {
    if (seen_[j] != kPositive && seen_[j] != kNegative) continue;
    level.column.push_back(static_cast<std::uint32_t>(j));
    level.sign.push_back(seen_[j] == kPositive ? 1 : -1);
    chosen_[j] = 1;
  }
  if (level.column.empty()) return false;
  levels_.push_back(std::move(level));
  std::fill(seen_.begin(), seen_.end(), std::uint8_t{0});
  closed_ = 0;
  return true;
}

std::vector<std::uint32_t> SignPeeler::active_columns() const {
  std::vector<std::uint32_t> active;
  for (std::size_t j = 0; j < seen_.size(); ++j) {
    if (seen_[j] == kBoth) active.push_back(static_cast<std::uint32_t>(j));
  }
  return active;
}

namespace {

constexpr std::size_t kLargestSample = 4096;

/// How many rows a search over this many columns begins with.
std::size_t sample_limit(std::size_t columns) {
  return std::clamp(4 * columns, std::min<std::size_t>(16 * columns + 16, 1024), kLargestSample);
}

}  // namespace

void SignRound::begin(std::size_t columns, std::size_t most_columns) {
  sample_ = WorstRows(sample_limit(columns));
  most_columns_ = most_columns;
}

SignRound::Next SignRound::synchronise(Comm& comm, std::uint32_t columns, bool offset) {
  grow(columns);
  if (offset) {
    if (live_positive_ > 0) peeler_.see(columns - 1, 1);
    if (live_negative_ > 0) peeler_.see(columns - 1, -1);
  }
  peeler_.synchronise(comm);
  live_ = all_reduce_sum(comm, live_positive_ + live_negative_);
  live_positive_ = live_negative_ = 0;
  sample_.synchronise(comm);
  if (live_ == 0) return Next::kNothing;
  if (!peeler_.end_round()) return Next::kCore;
  sample_ = WorstRows(sample_.limit());
  return Next::kPeel;
}

}  // namespace linsep

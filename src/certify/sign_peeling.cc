#include "certify/sign_peeling.h"

#include <algorithm>
#include <cstddef>
#include <span>

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

}  // namespace linsep

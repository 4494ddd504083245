#include "certify/finder/sign_round.h"

#include <algorithm>

#include "linsep/comm.h"

namespace linsep {
namespace {

constexpr std::size_t kLargestSample = 4096;

/// How many rows a search over this many columns begins with.
std::size_t sample_limit(std::size_t columns) {
  return std::clamp(4 * columns, std::min<std::size_t>(16 * columns + 16, 1024), kLargestSample);
}

}  // namespace

void SignRound::begin(std::size_t columns) { sample_ = WorstRows(sample_limit(columns)); }

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

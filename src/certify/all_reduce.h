// Reductions of one number over all workers, beyond those of numeric/exact_all_reduce.h.
#pragma once

#include <cstdint>
#include <limits>

#include "linsep/comm.h"

namespace linsep {

/// The least of the workers' row numbers; −1 is none.
inline std::int64_t all_reduce_first(Comm& comm, std::int64_t row) {
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  const std::int64_t first = -all_reduce_max(comm, row < 0 ? -kNone : -row);
  return first == kNone ? -1 : first;
}

}  // namespace linsep

// Reductions of one number over all workers, beyond those of numeric/exact_all_reduce.h.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "linsep/comm.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {

inline std::int64_t all_reduce_sum(Comm& comm, std::int64_t value) {
  comm.all_reduce(std::span(&value, 1), Comm::Op::kSum);
  return value;
}

/// Whether any worker says so.
inline bool all_reduce_any(Comm& comm, bool mine) { return all_reduce_max(comm, std::int64_t{mine ? 1 : 0}) > 0; }

/// The least of the workers' row numbers; −1 is none.
inline std::int64_t all_reduce_first(Comm& comm, std::int64_t row) {
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  const std::int64_t first = -all_reduce_max(comm, row < 0 ? -kNone : -row);
  return first == kNone ? -1 : first;
}

}  // namespace linsep

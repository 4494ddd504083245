// Narrowed: rows of arrays with 64-bit columns or one-byte labels as everyone else takes them, a few at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "linsep/batch.h"

namespace linsep {

/// How many rows from `first` on to narrow at once: at least one, and no more values than stay in a processor's cache.
/// REQUIRES: first < batch.rows.
std::int64_t narrowed_rows(const Batch& batch, std::int64_t first);

class Narrowed {
 public:
  /// Rows first … first + count − 1 with 32-bit columns and labels as double; not pinned. Valid until the next call,
  /// for columns, offsets and labels; values and weights stay where they are. REQUIRES: columns below 2³².
  Batch rows(const Batch& foreign, std::int64_t first, std::int64_t count);

 private:
  std::vector<std::uint64_t> start_;
  std::vector<std::uint32_t> column_;
  std::vector<double> label_;
};

}  // namespace linsep

// Some consecutive rows of a batch as a batch of their own, either without a copy or narrowed to what all code takes.
// Also how much a batch holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "linsep/batch.h"

namespace linsep {

/// Rows first … first + count − 1 of a batch.
Batch slice(const Batch& batch, std::int64_t first, std::int64_t count);

/// How many numbers a batch stores. For arrays with 64-bit columns (Batch::foreign), how many rows.
inline std::uint64_t values_in(const Batch& batch) {
  if (batch.rows == 0) return 0;
  if (batch.dense) return static_cast<std::uint64_t>(batch.rows) * batch.features;
  const auto rows = static_cast<std::size_t>(batch.rows);
  return batch.start.size() > rows ? batch.start[rows] - batch.start[0] : rows;
}

/// How many rows from `first` on to narrow at once. At least one, and no more values than stay in a processor's cache.
/// REQUIRES: first < batch.rows.
std::int64_t narrowed_rows(const Batch& batch, std::int64_t first);

/// Copies columns. A column that isn't below `features`, because it was changed after the check, becomes the last.
template <class Column>
void copy_columns(const Column* from, std::size_t count, std::uint32_t features, std::uint32_t* to) {
  for (std::size_t k = 0; k < count; ++k) {
    const auto column = static_cast<std::uint64_t>(from[k]);
    to[k] = static_cast<std::uint32_t>(column < features ? column : features - 1);
  }
}

/// Rows of arrays whose columns have 64 bits or may change, or whose labels have one byte. They are converted, a few at
/// a time, to the types that all other code takes.
class BatchConverter {
 public:
  /// Rows first … first + count − 1 with 32-bit columns and labels as double, not pinned. Columns, offsets and labels
  /// are valid until the next call. Values and weights stay in place. With `unsteady`, columns may change meanwhile, so
  /// even 32-bit ones are copied.
  Batch rows(const Batch& foreign, std::int64_t first, std::int64_t count, bool unsteady = false);

 private:
  std::vector<std::uint64_t> start_;
  std::vector<std::uint32_t> column_;
  std::vector<double> label_;
};

}  // namespace linsep

// The entries of one row of a batch that aren't 0.
#pragma once

#include <vector>

#include "linsep/batch.h"

namespace linsep {

/// Puts them in place of what the vectors hold, by ascending column. REQUIRES: i < batch.rows; the batch isn't
/// foreign().
inline void take_nonzeros(const Batch& batch, std::size_t i, std::vector<std::uint32_t>& column,
                          std::vector<double>& value) {
  column.clear();
  value.clear();
  const std::uint64_t begin = batch.dense ? i * batch.stride : batch.start[i];
  const std::uint64_t end = batch.dense ? begin + batch.features : batch.start[i + 1];
  for (std::uint64_t k = begin; k < end; ++k) {
    const double x = batch.is_float ? static_cast<double>(batch.value32[k]) : batch.value64[k];
    if (x == 0) continue;
    column.push_back(batch.dense ? static_cast<std::uint32_t>(k - begin) : batch.column[k]);
    value.push_back(x);
  }
}

}  // namespace linsep

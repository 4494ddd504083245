#include "core/slice.h"

#include <algorithm>

namespace linsep {

Batch slice(const Batch& batch, std::int64_t first, std::int64_t count) {
  Batch part = batch;
  const auto from = static_cast<std::size_t>(first), size = static_cast<std::size_t>(count);
  part.first_row += first;
  part.rows = count;
  if (batch.dense) {
    const std::size_t skip = from * batch.stride;
    if (batch.is_float) {
      part.value32 = batch.value32.subspan(std::min(skip, batch.value32.size()));
    } else {
      part.value64 = batch.value64.subspan(std::min(skip, batch.value64.size()));
    }
  } else {
    part.start = batch.start.subspan(from, size + 1);
  }
  if (!batch.label.empty()) part.label = batch.label.subspan(from, size);
  if (!batch.label8.empty()) part.label8 = batch.label8.subspan(from, size);
  if (!batch.weight.empty()) part.weight = batch.weight.subspan(from, size);
  if (!batch.row_number.empty()) part.row_number = batch.row_number.subspan(from, size);
  return part;
}

}  // namespace linsep

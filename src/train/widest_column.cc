#include "train/widest_column.h"

#include "linsep/error.h"

namespace linsep {

WidestColumn widest_of(const Batch& batch) {
  WidestColumn widest;
  if (batch.dense) return widest;
  for (std::int64_t i = 0; i < batch.rows; ++i) {
    const std::uint64_t begin = batch.start[static_cast<std::size_t>(i)];
    const std::uint64_t end = batch.start[static_cast<std::size_t>(i) + 1];
    if (begin == end) continue;
    const std::uint64_t last = std::uint64_t{batch.column[end - 1]} + 1;  // columns ascend
    if (last > widest.column) widest = {last, batch.number_of(i)};
  }
  return widest;
}

WidestColumn widest_of(Source& source) {
  if (source.shape().rows < 0) return {};
  WidestColumn widest;
  try {
    source.rewind(0);
    while (const auto batch = source.next()) {
      const WidestColumn here = widest_of(*batch);
      if (here.column > widest.column) widest = here;
    }
    if (widest.column > 0) widest.place = source.place_of(widest.row);
  } catch (const Error&) {  // the refusal is what counts, not why its place isn't known
  }
  return widest;
}

}  // namespace linsep

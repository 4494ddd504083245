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

namespace {

constexpr std::uint64_t kMostValues = std::uint64_t{1} << 16;
constexpr std::int64_t kMostRows = std::int64_t{1} << 13;

}  // namespace

std::int64_t narrowed_rows(const Batch& batch, std::int64_t first) {
  const std::int64_t most = std::min(batch.rows - first, kMostRows);
  if (batch.dense) return most;
  const auto begin = batch.start.begin() + first;
  const auto past = std::upper_bound(begin + 1, begin + most + 1, *begin + kMostValues);
  return std::max<std::int64_t>(past - begin - 1, 1);
}

Batch BatchConverter::rows(const Batch& foreign, std::int64_t first, std::int64_t count, bool unsteady) {
  Batch part = slice(foreign, first, count);
  part.pinned = false;
  if (!part.column64.empty() || (unsteady && !part.dense)) {
    const std::uint64_t base = part.start.front(), values = part.start.back() - base;
    start_.resize(part.start.size());
    std::transform(part.start.begin(), part.start.end(), start_.begin(), [&](std::uint64_t at) { return at - base; });
    column_.resize(values);
    if (part.column64.empty()) {
      copy_columns(part.column.data() + base, values, part.features, column_.data());
    } else {
      copy_columns(part.column64.data() + base, values, part.features, column_.data());
    }
    if (part.is_float) {
      part.value32 = part.value32.subspan(base, values);
    } else {
      part.value64 = part.value64.subspan(base, values);
    }
    part.start = start_;
    part.column = column_;
    part.column64 = {};
  }
  if (!part.label8.empty()) {
    label_.assign(part.label8.begin(), part.label8.end());
    part.label = label_;
    part.label8 = {};
  }
  return part;
}

}  // namespace linsep

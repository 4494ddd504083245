#include "core/narrow.h"

#include <algorithm>

#include "core/slice.h"

namespace linsep {
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

Batch Narrowed::rows(const Batch& foreign, std::int64_t first, std::int64_t count) {
  Batch part = slice(foreign, first, count);
  part.pinned = false;
  if (!part.column64.empty()) {
    const std::uint64_t base = part.start.front(), values = part.start.back() - base;
    start_.resize(part.start.size());
    std::transform(part.start.begin(), part.start.end(), start_.begin(), [&](std::uint64_t at) { return at - base; });
    column_.resize(values);
    std::transform(part.column64.data() + base, part.column64.data() + base + values, column_.begin(),
                   [](std::int64_t column) { return static_cast<std::uint32_t>(column); });
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

#include "format/svmlight/page.h"

#include <algorithm>
#include <cstring>

namespace linsep::svmlight {
namespace {

std::uint64_t aligned(std::uint64_t bytes) { return (bytes + 7) / 8 * 8; }

}  // namespace

template <class V>
PageMaker<V>::PageMaker(Workshop& workshop, std::uint64_t most_rows, std::uint64_t most_entries) : workshop_(workshop) {
  const std::uint64_t entries = most_entries + kSpareEntries;
  const std::uint64_t start_bytes = (most_rows + 1) * sizeof(std::uint64_t);
  const std::uint64_t label_bytes = most_rows * sizeof(double);
  const std::uint64_t column_bytes = aligned(entries * sizeof(std::uint32_t));
  memory_ = workshop.memory.reserve(start_bytes + label_bytes + column_bytes + entries * sizeof(V));
  rows.start = reinterpret_cast<std::uint64_t*>(memory_);
  rows.start[0] = 0;
  label_ = reinterpret_cast<double*>(memory_ + start_bytes);
  rows.labels = PageLabels(label_);
  rows.column = reinterpret_cast<std::uint32_t*>(memory_ + start_bytes + label_bytes);
  rows.value = reinterpret_cast<V*>(memory_ + start_bytes + label_bytes + column_bytes);
}

template <class V>
ParsedPage PageMaker<V>::finish(const Chunk& chunk, std::uint64_t lines) {
  ParsedPage parsed;
  Page& page = parsed.page;
  const auto* end = reinterpret_cast<std::byte*>(rows.value + rows.nonzeros);
  page.storage = workshop_.memory.keep(static_cast<std::size_t>(end - memory_));
  page.label = {label_, rows.size};
  page.first_byte = chunk.first_byte;
  page.bytes = chunk.text.size();
  page.lines = lines;
  Batch& batch = page.batch;
  batch.rows = static_cast<std::int64_t>(rows.size);
  batch.features = rows.features;
  batch.start = {rows.start, rows.size + 1};
  batch.column = {rows.column, rows.nonzeros};
  batch.label = page.label;
  batch.is_float = sizeof(V) == sizeof(float);
  if constexpr (sizeof(V) == sizeof(float)) {
    batch.value32 = {rows.value, rows.nonzeros};
  } else {
    batch.value64 = {rows.value, rows.nonzeros};
  }
  parsed.label_words = std::move(rows.labels.words());
  parsed.tiny = rows.tiny;
  parsed.dropped = rows.dropped;
  return parsed;
}

template <class V>
ParsedPage parse_scalar(const Chunk& chunk, const Rules& rules, Workshop& workshop) {
  const char* p = chunk.text.data();
  const char* end = p + chunk.text.size();
  const auto newlines = static_cast<std::uint64_t>(std::count(p, end, '\n'));
  const std::uint64_t lines = newlines + (p < end && end[-1] != '\n' ? 1 : 0);
  PageMaker<V> maker(workshop, lines, static_cast<std::uint64_t>(std::count(p, end, ':')));
  for (std::uint64_t line = 0; p < end; ++line) {
    const void* found = std::memchr(p, '\n', static_cast<std::size_t>(end - p));
    const char* line_end = found != nullptr ? static_cast<const char*>(found) : end;
    read_line(p, line_end, line, rules, maker.rows);
    p = line_end + 1;
  }
  return maker.finish(chunk, lines);
}

template class PageMaker<float>;
template class PageMaker<double>;
template ParsedPage parse_scalar<float>(const Chunk&, const Rules&, Workshop&);
template ParsedPage parse_scalar<double>(const Chunk&, const Rules&, Workshop&);

}  // namespace linsep::svmlight

#include "format/svmlight/page.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "os/memory.h"

namespace linsep {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kFirstBlock = std::size_t{64} << 10;

std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

std::shared_ptr<std::byte> allocate(std::size_t bytes) {
  if (bytes >= 2 * kHugePage) {
    return {static_cast<std::byte*>(allocate_pages(bytes)), [bytes](std::byte* p) { free_pages(p, bytes); }};
  }
  constexpr auto kAlign = std::align_val_t{kAlignment};
  return {static_cast<std::byte*>(::operator new(bytes, kAlign)), [](std::byte* p) { ::operator delete(p, kAlign); }};
}

}  // namespace

std::byte* PageMemory::reserve(std::size_t bytes) {
  if (size_ - used_ < bytes) {
    const std::size_t next = std::min(std::max(2 * size_, kFirstBlock), largest_block_);
    const std::size_t size = std::max(next, round_up(bytes, kAlignment));
    block_ = allocate(size);
    size_ = size;
    used_ = 0;
  }
  return block_.get() + used_;
}

std::shared_ptr<void> PageMemory::keep(std::size_t bytes) {
  used_ = std::min(round_up(used_ + bytes, kAlignment), size_);
  return block_;
}
}  // namespace linsep

namespace linsep::svmlight {
namespace {

std::uint64_t aligned(std::uint64_t bytes) { return (bytes + 7) / 8 * 8; }

}  // namespace

template <class V>
PageMaker<V>::PageMaker(ParserScratch& scratch, std::uint64_t most_rows, std::uint64_t most_entries)
    : scratch_(scratch) {
  const std::uint64_t entries = most_entries + kSpareEntries;
  const std::uint64_t start_bytes = (most_rows + 1) * sizeof(std::uint64_t);
  const std::uint64_t label_bytes = most_rows * sizeof(double);
  const std::uint64_t column_bytes = aligned(entries * sizeof(std::uint32_t));
  memory_ = scratch.memory.reserve(start_bytes + label_bytes + column_bytes + entries * sizeof(V));
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
  page.storage = scratch_.memory.keep(static_cast<std::size_t>(end - memory_));
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
ParsedPage parse_scalar(const Chunk& chunk, const Rules& rules, ParserScratch& scratch) {
  const char* p = chunk.text.data();
  const char* end = p + chunk.text.size();
  const auto newlines = static_cast<std::uint64_t>(std::count(p, end, '\n'));
  const std::uint64_t lines = newlines + (p < end && end[-1] != '\n' ? 1 : 0);
  PageMaker<V> maker(scratch, lines, static_cast<std::uint64_t>(std::count(p, end, ':')));
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
template ParsedPage parse_scalar<float>(const Chunk&, const Rules&, ParserScratch&);
template ParsedPage parse_scalar<double>(const Chunk&, const Rules&, ParserScratch&);

}  // namespace linsep::svmlight

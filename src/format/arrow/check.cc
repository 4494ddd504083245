#include "format/arrow/check.h"

#include <fmt/format.h>

#include <cstring>
#include <string_view>

#include "format/arrow/value.h"
#include "linsep/error.h"
#include "linsep/tools/shown_text.h"

namespace linsep::arrow {
namespace {

using Type = Column::Type;

[[noreturn]] void refuse(const Column& column, std::string_view why) {
  throw input_error(fmt::format("column '{}': the Arrow array is broken: {}", shown_text(column.name), why));
}

std::int64_t buffers_of(const Column& column) {
  switch (column.type) {
    case Type::kNull:
      return 0;
    case Type::kFixedList:
      return 1;
    case Type::kString:
    case Type::kLargeString:
    case Type::kStringView:
      return 3;
    default:
      return 2;
  }
}

void check_range(const Column& column, const ArrowArray& array, std::int64_t begin, std::int64_t rows) {
  constexpr std::int64_t kMost = std::int64_t{1} << 60;
  if (array.length < 0 || array.offset < 0 || array.length > kMost || array.offset > kMost) {
    refuse(column, "a length or an offset that can't be");
  }
  if (begin < 0 || rows < 0 || begin > array.length || rows > array.length - begin) {
    refuse(column, fmt::format("it has {} values, {} are needed", array.length, begin + rows));
  }
}

/// Offsets of strings and lists: they ascend, and the last is at most `end`.
template <class Offset>
void check_offsets(const Column& column, const ArrowArray& array, std::int64_t first, std::int64_t rows,
                   std::int64_t end) {
  Offset before = value_in<Offset>(array.buffers[1], first);
  if (before < 0) refuse(column, "an offset below 0");
  for (std::int64_t i = first + 1; i <= first + rows; ++i) {
    const Offset now = value_in<Offset>(array.buffers[1], i);
    if (now < before) refuse(column, "its offsets fall");
    before = now;
  }
  if (static_cast<std::int64_t>(before) > end) refuse(column, "its offsets pass the end");
}

void check_strings(const Column& column, const ArrowArray& array, std::int64_t first, std::int64_t rows) {
  // How many bytes there are, the interface doesn't say.
  constexpr std::int64_t kAny = std::int64_t{1} << 60;
  const bool bytes = array.buffers[2] != nullptr;
  if (column.type == Type::kString) {
    check_offsets<std::int32_t>(column, array, first, rows, kAny);
  } else {
    check_offsets<std::int64_t>(column, array, first, rows, kAny);
  }
  if (!bytes && string_end(column, array, first + rows - 1) > string_begin(column, array, first)) {
    refuse(column, "its bytes aren't there");
  }
}

void check_views(const Column& column, const ArrowArray& array, std::int64_t first, std::int64_t rows) {
  const std::int64_t variadic = array.n_buffers - 3;
  const void* sizes = array.buffers[array.n_buffers - 1];
  for (std::int64_t i = first; i < first + rows; ++i) {
    if (!is_valid(array, i)) continue;
    const StringView view = value_in<StringView>(array.buffers[1], i);
    if (view.size < 0) refuse(column, "a string of negative length");
    if (view.size <= kInlineBytes) continue;
    if (view.buffer < 0 || view.buffer >= variadic || sizes == nullptr || array.buffers[2 + view.buffer] == nullptr) {
      refuse(column, "a string in a buffer that isn't there");
    }
    const auto size = value_in<std::int64_t>(sizes, view.buffer);
    if (view.offset < 0 || view.offset > size - view.size) refuse(column, "a string passes the end of its buffer");
  }
}

void check_lists(const Column& column, const ArrowArray& array, std::int64_t first, std::int64_t rows) {
  if (array.n_children != 1 || array.children == nullptr || array.children[0] == nullptr) {
    refuse(column, "the values of its lists aren't there");
  }
  const ArrowArray& items = *array.children[0];
  check_range(column, items, 0, 0);
  if (column.type == Type::kList) check_offsets<std::int32_t>(column, array, first, rows, items.length);
  if (column.type == Type::kLargeList) check_offsets<std::int64_t>(column, array, first, rows, items.length);
  if (column.type == Type::kFixedList && column.size > 0 && first + rows > items.length / column.size) {
    refuse(column, "the values of its lists pass the end");
  }
  check_array(*column.items, items, 0, items.length);
}

void check_words(const Column& column, const ArrowArray& array, std::int64_t first, std::int64_t rows) {
  if (array.dictionary == nullptr) refuse(column, "its dictionary isn't there");
  check_array(*column.words, *array.dictionary, 0, array.dictionary->length);
  for (std::int64_t i = first; i < first + rows; ++i) {
    if (!is_valid(array, i)) continue;
    const std::int64_t index = index_at(column, array, i);
    if (index < 0 || index >= array.dictionary->length) refuse(column, "an index beyond its dictionary");
  }
}

}  // namespace

void check_array(const Column& column, const ArrowArray& array, std::int64_t begin, std::int64_t rows) {
  check_range(column, array, begin, rows);
  if (rows == 0 || column.type == Type::kNull) return;
  const std::int64_t needed = buffers_of(column);
  if (array.n_buffers < needed || array.buffers == nullptr) {
    refuse(column, fmt::format("it has {} buffers, {} are needed", array.n_buffers, needed));
  }
  if (array.buffers[0] == nullptr && array.null_count > 0) refuse(column, "nulls without a validity buffer");
  if (needed > 1 && array.buffers[1] == nullptr) refuse(column, "its values aren't there");
  const std::int64_t first = array.offset + begin;
  if (column.type == Type::kStringView) {
    check_views(column, array, first, rows);
  } else if (column.is_string()) {
    check_strings(column, array, first, rows);
  } else if (column.is_list()) {
    check_lists(column, array, first, rows);
  }
  if (column.words) check_words(column, array, first, rows);
}

}  // namespace linsep::arrow

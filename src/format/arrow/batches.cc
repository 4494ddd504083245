#include "format/arrow/batches.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "linsep/error.h"
#include "linsep/tools/shown_text.h"

namespace linsep::arrow {
namespace {

using Type = Column::Type;

/// Checks the values begin … begin + rows − 1 of an array before any is read. Buffers must exist, offsets must ascend
/// and end within what they point into, and views and indices must lie within theirs. Throws an input Error that names
/// the column. An array may have no validity buffer, a null_count of −1, and no buffers if it has no rows.
void check_array(const Column& column, const ArrowArray& array, std::int64_t begin, std::int64_t rows);

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
    refuse(column, "an impossible length or offset");
  }
  if (begin < 0 || rows < 0 || begin > array.length || rows > array.length - begin) {
    refuse(column, fmt::format("it has {} values but needs {}", array.length, begin + rows));
  }
}

/// Checks offsets of strings and lists: they ascend, and the last is at most `end`.
template <class Offset>
void check_offsets(const Column& column, const ArrowArray& array, std::int64_t first, std::int64_t rows,
                   std::int64_t end) {
  Offset before = value_in<Offset>(array.buffers[1], first);
  if (before < 0) refuse(column, "an offset below 0");
  for (std::int64_t i = first + 1; i <= first + rows; ++i) {
    const Offset now = value_in<Offset>(array.buffers[1], i);
    if (now < before) refuse(column, "its offsets descend");
    before = now;
  }
  if (static_cast<std::int64_t>(before) > end) refuse(column, "its offsets go past the end");
}

void check_strings(const Column& column, const ArrowArray& array, std::int64_t first, std::int64_t rows) {
  // The interface doesn't provide the number of bytes.
  constexpr std::int64_t kAny = std::int64_t{1} << 60;
  const bool bytes = array.buffers[2] != nullptr;
  if (column.type == Type::kString) {
    check_offsets<std::int32_t>(column, array, first, rows, kAny);
  } else {
    check_offsets<std::int64_t>(column, array, first, rows, kAny);
  }
  if (!bytes && string_end(column, array, first + rows - 1) > string_begin(column, array, first)) {
    refuse(column, "its bytes are missing");
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
      refuse(column, "a string in a missing buffer");
    }
    const auto size = value_in<std::int64_t>(sizes, view.buffer);
    if (view.offset < 0 || view.offset > size - view.size) refuse(column, "a string goes past the end of its buffer");
  }
}

void check_lists(const Column& column, const ArrowArray& array, std::int64_t first, std::int64_t rows) {
  if (array.n_children != 1 || array.children == nullptr || array.children[0] == nullptr) {
    refuse(column, "the values of its lists are missing");
  }
  const ArrowArray& items = *array.children[0];
  check_range(column, items, 0, 0);
  if (column.type == Type::kList) check_offsets<std::int32_t>(column, array, first, rows, items.length);
  if (column.type == Type::kLargeList) check_offsets<std::int64_t>(column, array, first, rows, items.length);
  if (column.type == Type::kFixedList && column.size > 0 && first + rows > items.length / column.size) {
    refuse(column, "the values of its lists go past the end");
  }
  check_array(*column.items, items, 0, items.length);
}

void check_words(const Column& column, const ArrowArray& array, std::int64_t first, std::int64_t rows) {
  if (array.dictionary == nullptr) refuse(column, "its dictionary is missing");
  check_array(*column.words, *array.dictionary, 0, array.dictionary->length);
  for (std::int64_t i = first; i < first + rows; ++i) {
    if (!is_valid(array, i)) continue;
    const std::int64_t index = index_at(column, array, i);
    if (index < 0 || index >= array.dictionary->length) refuse(column, "an index beyond its dictionary");
  }
}

void check_array(const Column& column, const ArrowArray& array, std::int64_t begin, std::int64_t rows) {
  check_range(column, array, begin, rows);
  if (rows == 0 || column.type == Type::kNull) return;
  const std::int64_t needed = buffers_of(column);
  if (array.n_buffers < needed || array.buffers == nullptr) {
    refuse(column, fmt::format("it has {} buffers but needs {}", array.n_buffers, needed));
  }
  if (array.buffers[0] == nullptr && array.null_count > 0) refuse(column, "nulls without a validity buffer");
  if (needed > 1 && array.buffers[1] == nullptr) refuse(column, "its values are missing");
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

/// Released once, however the scope is left.
template <class Structure>
struct Owned {
  Structure it{};

  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (it.release != nullptr) it.release(&it);
  }
};

/// Removes the kind of failure that Arrow C++ puts before a message: "Invalid: …", "IOError: …".
std::string without_status(std::string_view said) {
  const std::size_t colon = said.find(": ");
  const std::string_view kind = said.substr(0, std::min(colon, said.size()));
  constexpr std::array<std::string_view, 10> kKinds = {
      "Out of memory", "Invalid",        "IOError",       "Type error",     "Key error",
      "Index error",   "NotImplemented", "Unknown error", "Capacity error", "Serialization error"};
  if (colon == std::string_view::npos || std::ranges::find(kKinds, kind) == kKinds.end()) return std::string(said);
  return std::string(said.substr(colon + 2));
}

/// Runs `f`. Adds this name to input Errors that name no file.
template <class F>
auto naming(const std::string& name, F&& f) {
  try {
    return f();
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::kInput || !error.place().file.empty()) throw;
    throw Error(Error::Kind::kInput, Place{name, 0, 0}, error.options(), error.sentence());
  }
}

}  // namespace

Intake::Intake(ArrowArrayStream* stream, std::string name) : stream_{}, name_(std::move(name)) {
  if (stream == nullptr || stream->release == nullptr) throw usage_error("the Arrow stream has already been released");
  Owned<ArrowArrayStream> owned;
  std::swap(owned.it, *stream);
  std::swap(owned.it, stream_);
  try {
    naming(name_, [&] { read_schema(); });
  } catch (...) {
    stream_.release(&stream_);
    throw;
  }
}

Intake::~Intake() { stream_.release(&stream_); }

void Intake::describe(ArrowTable::Batches& out) const {
  out.name = name_;
  out.columns = columns_;
  out.names = names_;
}

bool Intake::next(ArrowTable::Batches& out) {
  return naming(name_, [&] {
    Owned<ArrowArray> array;
    if (const int code = stream_.get_next(&stream_, &array.it); code != 0) fail(code);
    if (array.it.release == nullptr) return false;
    check(array.it);
    out.rows += array.it.length;
    out.arrays.push_back(array.it);
    array.it.release = nullptr;  // the table owns it now
    return true;
  });
}

void Intake::fail(int code) const {
  const char* said =
      stream_.get_last_error == nullptr ? nullptr : stream_.get_last_error(const_cast<ArrowArrayStream*>(&stream_));
  const std::string why = said != nullptr && *said != 0 ? without_status(said) : std::strerror(code);
  if (code != ENOMEM) throw Error(Place{name_, 0, 0}, why);
  throw Error(Error::Kind::kUsage, Place{name_, 0, 0}, {"memory"},
              fmt::format("{}: give a larger {{}}, or convert them to a page file by `linsep convert`", why));
}

void Intake::read_schema() {
  Owned<ArrowSchema> schema;
  if (const int code = stream_.get_schema(&stream_, &schema.it); code != 0) fail(code);
  const ArrowSchema& all = schema.it;
  if (all.format == nullptr || std::strcmp(all.format, "+s") != 0 || (all.n_children > 0 && all.children == nullptr)) {
    throw Error(Place{name_, 0, 0}, "this isn't a table: its batches have no columns");
  }
  for (std::int64_t c = 0; c < all.n_children; ++c) {
    const ArrowSchema& child = *all.children[c];
    const std::string name = child.name == nullptr || *child.name == 0 ? fmt::format("column {}", c + 1) : child.name;
    columns_.push_back(read_column(child, name));
    names_.push_back(name);
  }
}

void Intake::check(const ArrowArray& array) const {
  const auto refuse = [&](const char* why) {
    throw Error(Place{name_, 0, 0}, fmt::format("the Arrow batch is broken: {}", why));
  };
  constexpr std::int64_t kMost = std::int64_t{1} << 60;
  if (array.length < 0 || array.offset < 0 || array.length > kMost || array.offset > kMost) {
    refuse("an impossible length or offset");
  }
  if (array.n_children != static_cast<std::int64_t>(columns_.size())) refuse("its columns don't match its schema");
  const void* valid = array.n_buffers > 0 && array.buffers != nullptr ? array.buffers[0] : nullptr;
  if (valid != nullptr && array.null_count != 0) refuse("it has rows that are null as a whole");
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (array.children[c] == nullptr) refuse("a column is missing");
    check_array(columns_[c], *array.children[c], array.offset, array.length);
  }
}

}  // namespace linsep::arrow

namespace linsep {

ArrowTable::ArrowTable(ArrowArrayStream* stream, std::string name) {
  arrow::Intake intake(stream, std::move(name));
  auto batches = std::make_shared<Batches>();
  intake.describe(*batches);
  while (intake.next(*batches)) {
  }
  batches_ = std::move(batches);
}

const std::string& ArrowTable::name() const { return batches_->name; }
std::int64_t ArrowTable::rows() const { return batches_->rows; }
const std::vector<std::string>& ArrowTable::columns() const { return batches_->names; }

namespace arrow {

std::vector<Slice> slices_of(const ArrowTable::Batches& batches, std::int64_t most) {
  std::vector<Slice> slices;
  std::int64_t first = batches.first_row;
  for (const ArrowArray& array : batches.arrays) {
    for (std::int64_t begin = 0; begin < array.length; begin += most) {
      slices.push_back({&array, begin, std::min(most, array.length - begin), first + begin});
    }
    first += array.length;
  }
  return slices;
}

RowRange own_rows(std::int64_t rows, const Comm& comm) {
  const auto cut = [&](int rank) {
    return rank * (rows / comm.size()) + std::min<std::int64_t>(rank, rows % comm.size());
  };
  return {cut(comm.rank()), cut(comm.rank() + 1)};
}

std::vector<Slice> slices_of(const ArrowTable::Batches& batches, std::int64_t most, RowRange range) {
  std::vector<Slice> slices;
  for (Slice slice : slices_of(batches, most)) {
    const std::int64_t begin = std::max(range.begin, slice.first_row);
    const std::int64_t end = std::min(range.end, slice.first_row + slice.rows);
    if (begin >= end) continue;
    slice.begin += begin - slice.first_row;
    slice.first_row = begin;
    slice.rows = end - begin;
    slices.push_back(slice);
  }
  return slices;
}

}  // namespace arrow
}  // namespace linsep

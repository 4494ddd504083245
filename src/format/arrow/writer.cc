// Writes tables in Arrow's IPC format without a library. Messages of metadata (a FlatBuffer) and a body form a stream,
// or a file with a list of them. The module makes Parquet from such a stream.
#include "linsep/tools/arrow_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <exception>
#include <initializer_list>
#include <limits>
#include <utility>

#include "core/utf8.h"
#include "format/arrow/files.h"
#include "linsep/error.h"

namespace linsep {
namespace {

/// The part of FlatBuffers that the metadata of Arrow needs, written from front to back. Tables come before what they
/// point to. A slot that holds an offset is written as 0 and set once its target is known. All numbers are
/// little-endian, and everything is aligned to its size, counted from the first byte.
class FlatBuffer {
 public:
  /// A field that is present: its number in the table's definition, its size in bytes, and its value (0 for an offset).
  struct Slot {
    int field;
    int size;
    std::uint64_t value = 0;
  };

  /// Begins with the offset of the root table.
  FlatBuffer() : bytes_(4, '\0') {}

  /// Appends a table. Returns the positions of its slots, in the order given.
  std::vector<std::size_t> table(std::initializer_list<Slot> slots);
  /// Appends the root table in the same way.
  std::vector<std::size_t> root(std::initializer_list<Slot> slots);
  /// Appends a table that the offset at `slot` points to, in the same way.
  std::vector<std::size_t> table_at(std::size_t slot, std::initializer_list<Slot> slots);
  /// Appends text that the offset at `slot` points to.
  void text_at(std::size_t slot, std::string_view text);
  /// Appends offsets of `count` tables, to which the offset at `slot` points. Returns their positions.
  std::vector<std::size_t> offsets_at(std::size_t slot, std::size_t count);
  /// Appends structures of 64-bit numbers, `words` each.
  void words_at(std::size_t slot, std::size_t words, const std::vector<std::uint64_t>& numbers);

  /// Returns all bytes, padded to a multiple of 8.
  std::string finish() &&;

 private:
  void number(std::uint64_t value, int size);
  void set(std::size_t place, std::uint64_t value, int size);
  /// Appends zeros until the size is `remainder` more than a multiple of `alignment`.
  void fill(std::size_t alignment, std::size_t remainder);
  void point(std::size_t slot) { set(slot, bytes_.size() - slot, 4); }

  std::string bytes_;
  std::size_t last_table_ = 0;
};

void FlatBuffer::number(std::uint64_t value, int size) {
  for (int k = 0; k < size; ++k) bytes_.push_back(static_cast<char>(value >> (8 * k)));
}

void FlatBuffer::set(std::size_t place, std::uint64_t value, int size) {
  for (int k = 0; k < size; ++k) bytes_[place + static_cast<std::size_t>(k)] = static_cast<char>(value >> (8 * k));
}

void FlatBuffer::fill(std::size_t alignment, std::size_t remainder) {
  while (bytes_.size() % alignment != remainder) bytes_.push_back('\0');
}

// First comes the list of positions (its size, the table's size, a position within the table for each field). Then
// comes the table, with the way back to that list and the values by descending size. The table begins 4 bytes after a
// multiple of 8, and its values on one.
std::vector<std::size_t> FlatBuffer::table(std::initializer_list<Slot> slots) {
  std::size_t fields = 0, size = 4;
  for (const Slot& slot : slots) {
    fields = std::max(fields, static_cast<std::size_t>(slot.field) + 1);
    size += static_cast<std::size_t>(slot.size);
  }
  const std::size_t list = 4 + 2 * fields;
  fill(2, 0);
  while ((bytes_.size() + list) % 8 != 4) bytes_.push_back('\0');
  const std::size_t begin = bytes_.size(), table = begin + list;
  number(list, 2);
  number(size, 2);
  bytes_.append(2 * fields, '\0');
  number(list, 4);
  std::vector<std::size_t> places(slots.size());
  for (const int width : {8, 4, 2, 1}) {
    std::size_t k = 0;
    for (const Slot& slot : slots) {
      if (slot.size == width) {
        places[k] = bytes_.size();
        set(begin + 4 + 2 * static_cast<std::size_t>(slot.field), bytes_.size() - table, 2);
        number(slot.value, width);
      }
      ++k;
    }
  }
  last_table_ = table;
  return places;
}

std::vector<std::size_t> FlatBuffer::root(std::initializer_list<Slot> slots) {
  std::vector<std::size_t> places = table(slots);
  set(0, last_table_, 4);
  return places;
}

std::vector<std::size_t> FlatBuffer::table_at(std::size_t slot, std::initializer_list<Slot> slots) {
  std::vector<std::size_t> places = table(slots);
  set(slot, last_table_ - slot, 4);
  return places;
}

void FlatBuffer::text_at(std::size_t slot, std::string_view text) {
  fill(4, 0);
  point(slot);
  number(text.size(), 4);
  bytes_.append(text);
  bytes_.push_back('\0');
}

std::vector<std::size_t> FlatBuffer::offsets_at(std::size_t slot, std::size_t count) {
  fill(4, 0);
  point(slot);
  number(count, 4);
  std::vector<std::size_t> places(count);
  for (std::size_t& place : places) {
    place = bytes_.size();
    number(0, 4);
  }
  return places;
}

void FlatBuffer::words_at(std::size_t slot, std::size_t words, const std::vector<std::uint64_t>& numbers) {
  fill(8, 4);
  point(slot);
  number(numbers.size() / words, 4);
  for (const std::uint64_t word : numbers) number(word, 8);
}

std::string FlatBuffer::finish() && {
  fill(8, 0);
  return std::move(bytes_);
}

static_assert(std::endian::native == std::endian::little, "numbers are written as they are in memory");

// Numbers of Arrow's Schema.fbs, Message.fbs and File.fbs.
constexpr std::uint64_t kVersion5 = 4, kSchemaHeader = 1, kBatchHeader = 3;
constexpr std::uint64_t kInt = 2, kFloatingPoint = 3, kUtf8 = 5, kBool = 6, kDouble = 2;
constexpr std::string_view kFileMark = "ARROW1";
constexpr std::string_view kMessageMark = "\xff\xff\xff\xff";

void append_length(std::string& bytes, std::size_t length) {
  for (int k = 0; k < 4; ++k) bytes.push_back(static_cast<char>(length >> (8 * k)));
}

/// The metadata preceded by its length. A body follows.
std::string message(FlatBuffer&& metadata) {
  const std::string inside = std::move(metadata).finish();
  std::string bytes(kMessageMark);
  append_length(bytes, inside.size());
  return bytes + inside;
}

std::uint64_t type_number(FieldType type) {
  switch (type) {
    case FieldType::kNumber:
      return kFloatingPoint;
    case FieldType::kInteger:
    case FieldType::kUnsigned:
      return kInt;
    case FieldType::kBool:
      return kBool;
    default:
      return kUtf8;
  }
}

/// Appends a Schema that the offset at `slot` points to.
void schema_at(FlatBuffer& out, std::size_t slot, std::span<const ArrowField> fields) {
  const std::size_t list = out.table_at(slot, {{1, 4}})[0];
  const std::vector<std::size_t> places = out.offsets_at(list, fields.size());
  for (std::size_t k = 0; k < fields.size(); ++k) {
    // name, nullable, type_type, type, children
    const auto field =
        out.table_at(places[k], {{0, 4}, {1, 1, 1}, {2, 1, type_number(fields[k].type)}, {3, 4}, {5, 4}});
    out.text_at(field[0], valid_utf8(fields[k].name));
    if (fields[k].type == FieldType::kNumber) {
      out.table_at(field[3], {{0, 2, kDouble}});
    } else if (type_number(fields[k].type) == kInt) {
      out.table_at(field[3], {{0, 4, 64}, {1, 1, fields[k].type == FieldType::kInteger ? 1U : 0U}});
    } else {
      out.table_at(field[3], {});
    }
    out.offsets_at(field[4], 0);
  }
}

std::string schema_message(std::span<const ArrowField> fields) {
  FlatBuffer out;
  const auto slots = out.root({{0, 2, kVersion5}, {1, 1, kSchemaHeader}, {2, 4}, {3, 8, 0}});
  schema_at(out, slots[2], fields);
  return message(std::move(out));
}

/// The buffers of a batch, each beginning at a multiple of 8.
class Body {
 public:
  void add(std::string_view bytes) {
    places_.push_back(bytes_.size());
    places_.push_back(bytes.size());
    bytes_.append(bytes);
    bytes_.append((8 - bytes_.size() % 8) % 8, '\0');
  }
  template <class T>
  void add(const std::vector<T>& numbers) {
    add(std::string_view(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)));
  }
  /// Appends a bit for each row.
  template <class Bit>
  void add_bits(std::size_t rows, Bit bit) {
    std::string bytes((rows + 7) / 8, '\0');
    for (std::size_t i = 0; i < rows; ++i) {
      if (bit(i)) bytes[i / 8] = static_cast<char>(static_cast<unsigned char>(bytes[i / 8]) | (1U << (i % 8)));
    }
    add(bytes);
  }
  void add_text(const std::vector<std::string>& texts, const std::string& column) {
    std::vector<std::int32_t> ends(1, 0);
    std::string all;
    for (const std::string& text : texts) {
      append_valid_utf8(all, text);
      if (all.size() > std::numeric_limits<std::int32_t>::max()) {
        throw input_error(fmt::format("column '{}' has more than 2 GiB of text in one batch of rows", column));
      }
      ends.push_back(static_cast<std::int32_t>(all.size()));
    }
    add(ends);
    add(all);
  }
  const std::vector<std::uint64_t>& places() const { return places_; }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::vector<std::uint64_t> places_;  ///< offset and length of each buffer
};

/// The size of the metadata depends on the fields alone, and `arrow_file_end` relies on that.
std::string batch_message(std::size_t rows, const std::vector<std::uint64_t>& nulls, const Body& body) {
  FlatBuffer out;
  const auto slots = out.root({{0, 2, kVersion5}, {1, 1, kBatchHeader}, {2, 4}, {3, 8, body.bytes().size()}});
  const auto batch = out.table_at(slots[2], {{0, 8, rows}, {1, 4}, {2, 4}});
  std::vector<std::uint64_t> nodes;  // for each column, its rows and how many of them are null
  for (const std::uint64_t count : nulls) nodes.insert(nodes.end(), {rows, count});
  out.words_at(batch[1], 2, nodes);
  out.words_at(batch[2], 2, body.places());
  return message(std::move(out));
}

std::size_t rows_of(const ArrowColumn& column) {
  return std::max({column.number.size(), column.text.size(), column.integer.size()});
}

}  // namespace

std::string arrow_stream_begin(std::span<const ArrowField> fields) { return schema_message(fields); }

std::string arrow_stream_end() { return std::string(kMessageMark) + std::string(4, '\0'); }

std::string arrow_batch(std::span<const ArrowField> fields, std::span<const ArrowColumn> columns) {
  Body body;
  const std::size_t rows = fields.empty() ? 0 : rows_of(columns[0]);
  std::vector<std::uint64_t> nulls;
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const ArrowColumn& column = columns[k];
    nulls.push_back(static_cast<std::uint64_t>(std::ranges::count(column.null, true)));
    body.add_bits(column.null.size(), [&](std::size_t i) { return !column.null[i]; });  // those that aren't null
    switch (fields[k].type) {
      case FieldType::kNumber:
        body.add(column.number);
        break;
      case FieldType::kInteger:
      case FieldType::kUnsigned:
        body.add(column.integer);
        break;
      case FieldType::kBool:
        body.add_bits(rows, [&](std::size_t i) { return column.integer[i] != 0; });
        break;
      case FieldType::kText:
        body.add_text(column.text, fields[k].name);
        break;
    }
  }
  return batch_message(rows, nulls, body) + body.bytes();
}

std::string arrow_file_begin(std::span<const ArrowField> fields) {
  return std::string(kFileMark) + std::string(2, '\0') + schema_message(fields);
}

std::string arrow_file_end(std::span<const ArrowField> fields, std::span<const std::uint64_t> batches) {
  Body empty;
  for (const ArrowField& field : fields) {
    for (int k = field.type == FieldType::kText ? 3 : 2; k > 0; --k) empty.add(std::string_view());
  }
  const std::uint64_t metadata = batch_message(0, std::vector<std::uint64_t>(fields.size()), empty).size();
  std::uint64_t place = arrow_file_begin(fields).size();
  std::vector<std::uint64_t> blocks;  // for each batch, its position, the size of its metadata and that of its body
  for (const std::uint64_t size : batches) {
    blocks.insert(blocks.end(), {place, metadata, size - metadata});
    place += size;
  }
  FlatBuffer out;
  const auto slots = out.root({{0, 2, kVersion5}, {1, 4}, {2, 4}, {3, 4}});
  schema_at(out, slots[1], fields);
  out.words_at(slots[2], 3, {});  // dictionaries
  out.words_at(slots[3], 3, blocks);
  const std::string footer = std::move(out).finish();
  std::string bytes = arrow_stream_end() + footer;
  append_length(bytes, footer.size());
  return bytes.append(kFileMark);
}

struct ParquetWriter::State {
  explicit State(Sink where) : module(arrow::module()), sink(std::move(where)) {
    if (module == nullptr) throw system_error("Parquet is written " + arrow::no_module());
    run([&](char* message, std::size_t size) { return module->begin_parquet(take, this, &file, message, size); });
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (file != nullptr) module->free_parquet(file);
  }

  /// An exception from the sink waits until the module's code has returned.
  static int take(void* context, const char* bytes, std::size_t count) {
    auto& state = *static_cast<State*>(context);
    if (state.thrown) return 1;
    try {
      state.sink({bytes, count});
      return 0;
    } catch (...) {
      state.thrown = std::current_exception();
      return 1;
    }
  }

  template <class Entry>
  void run(const Entry& entry) {
    std::array<char, 1000> message{};
    const int failed = entry(message.data(), message.size());
    if (thrown) std::rethrow_exception(thrown);
    if (failed != 0) throw system_error(std::string("Parquet can't be written: ") + message.data());
  }

  const arrow::Module* module;
  Sink sink;
  LinsepParquet* file = nullptr;
  std::exception_ptr thrown;
};

ParquetWriter::ParquetWriter(Sink sink) : state_(std::make_unique<State>(std::move(sink))) {}
ParquetWriter::ParquetWriter(ParquetWriter&&) noexcept = default;
ParquetWriter& ParquetWriter::operator=(ParquetWriter&&) noexcept = default;
ParquetWriter::~ParquetWriter() = default;

void ParquetWriter::write(std::string_view stream) {
  state_->run([&](char* message, std::size_t size) {
    return state_->module->write_parquet(state_->file, stream.data(), stream.size(), message, size);
  });
}

void ParquetWriter::close() {
  state_->run(
      [&](char* message, std::size_t size) { return state_->module->end_parquet(state_->file, message, size); });
}

}  // namespace linsep

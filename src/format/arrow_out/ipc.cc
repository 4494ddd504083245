// Arrow's IPC format: messages of metadata (a FlatBuffer) and a body, which are a stream, or a file with a list of
// them.
#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <limits>

#include "format/arrow_out/flat_buffer.h"
#include "format/arrow_out/utf8.h"
#include "linsep/error.h"
#include "linsep/tools/arrow_writer.h"

namespace linsep {
namespace {

using arrow::FlatBuffer;
static_assert(std::endian::native == std::endian::little, "numbers are written as they are in memory");

// Numbers of Arrow's Schema.fbs, Message.fbs and File.fbs.
constexpr std::uint64_t kVersion5 = 4, kSchemaHeader = 1, kBatchHeader = 3;
constexpr std::uint64_t kFloatingPoint = 3, kUtf8 = 5, kDouble = 2;
constexpr std::string_view kFileMark = "ARROW1";
constexpr std::string_view kMessageMark = "\xff\xff\xff\xff";

void append_length(std::string& bytes, std::size_t length) {
  for (int k = 0; k < 4; ++k) bytes.push_back(static_cast<char>(length >> (8 * k)));
}

/// The metadata with its length before it; a body follows.
std::string message(FlatBuffer&& metadata) {
  const std::string inside = std::move(metadata).finish();
  std::string bytes(kMessageMark);
  append_length(bytes, inside.size());
  return bytes + inside;
}

/// A Schema that the offset at `slot` points to.
void schema_at(FlatBuffer& out, std::size_t slot, std::span<const ArrowField> fields) {
  const std::size_t list = out.table_at(slot, {{1, 4}})[0];
  const std::vector<std::size_t> places = out.offsets_at(list, fields.size());
  for (std::size_t k = 0; k < fields.size(); ++k) {
    // name, nullable, type_type, type, children
    const auto field =
        out.table_at(places[k], {{0, 4}, {1, 1, 1}, {2, 1, fields[k].number ? kFloatingPoint : kUtf8}, {3, 4}, {5, 4}});
    out.text_at(field[0], arrow::valid_utf8(fields[k].name));
    if (fields[k].number) {
      out.table_at(field[3], {{0, 2, kDouble}});
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

/// The buffers of a batch, each from a multiple of 8 on.
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
  void add_text(const std::vector<std::string>& texts, const std::string& column) {
    std::vector<std::int32_t> ends(1, 0);
    std::string all;
    for (const std::string& text : texts) {
      arrow::append_valid_utf8(all, text);
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

/// The size of the metadata depends on the fields alone, which `arrow_file_end` rests on.
std::string batch_message(std::size_t rows, std::size_t columns, const Body& body) {
  FlatBuffer out;
  const auto slots = out.root({{0, 2, kVersion5}, {1, 1, kBatchHeader}, {2, 4}, {3, 8, body.bytes().size()}});
  const auto batch = out.table_at(slots[2], {{0, 8, rows}, {1, 4}, {2, 4}});
  std::vector<std::uint64_t> nodes;  // of each column its rows, and how many of them are null
  for (std::size_t k = 0; k < columns; ++k) nodes.insert(nodes.end(), {rows, 0});
  out.words_at(batch[1], 2, nodes);
  out.words_at(batch[2], 2, body.places());
  return message(std::move(out));
}

}  // namespace

std::string arrow_stream_begin(std::span<const ArrowField> fields) { return schema_message(fields); }

std::string arrow_stream_end() { return std::string(kMessageMark) + std::string(4, '\0'); }

std::string arrow_batch(std::span<const ArrowField> fields, std::span<const ArrowColumn> columns) {
  Body body;
  std::size_t rows = 0;
  for (std::size_t k = 0; k < fields.size(); ++k) {
    body.add(std::string_view());  // which values are null: none
    if (fields[k].number) {
      body.add(columns[k].number);
      rows = columns[k].number.size();
    } else {
      body.add_text(columns[k].text, fields[k].name);
      rows = columns[k].text.size();
    }
  }
  return batch_message(rows, fields.size(), body) + body.bytes();
}

std::string arrow_file_begin(std::span<const ArrowField> fields) {
  return std::string(kFileMark) + std::string(2, '\0') + schema_message(fields);
}

std::string arrow_file_end(std::span<const ArrowField> fields, std::span<const std::uint64_t> batches) {
  Body empty;
  for (const ArrowField& field : fields) {
    for (int k = field.number ? 2 : 3; k > 0; --k) empty.add(std::string_view());
  }
  const std::uint64_t metadata = batch_message(0, fields.size(), empty).size();
  std::uint64_t place = arrow_file_begin(fields).size();
  std::vector<std::uint64_t> blocks;  // where a batch is, the size of its metadata, that of its body
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

}  // namespace linsep

#include "format/pages/reread.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "bytes/bytes.h"
#include "bytes/chunker.h"
#include "format/shards/input.h"
#include "linsep/error.h"
#include "linsep/tools/shown_text.h"

namespace linsep {
namespace {

/// The bytes of one input, read from its beginning on or from any position of a plain file.
class Bytes {
 public:
  Bytes(const std::string& path, bool compressed, const FileStamp& stamp)
      : path_(path), compressed_(compressed), input_(open_bytes(path)) {
    if (input_.stamp != stamp) throw Error(Place{input_.name, 0, 0}, "the file has changed since it was read");
  }

  /// Reads the bytes of a chunk. REQUIRES: for a compressed file, chunks in their order.
  void read(std::uint64_t first_byte, std::uint64_t bytes, ChunkBuffer& buffer) {
    if (!compressed_ && at_ != first_byte) {
      input_ = open_bytes_at(path_, first_byte);
      at_ = first_byte;
    }
    while (at_ < first_byte) fill(std::min<std::uint64_t>(first_byte - at_, kChunkBytes), buffer);
    fill(bytes, buffer);
    buffer.data()[buffer.size] = '\n';
    buffer.first_byte = first_byte;
  }

 private:
  void fill(std::size_t bytes, ChunkBuffer& buffer) {
    // A page file may claim any number of bytes, so room is made only for what the text turns out to have.
    buffer.grow(1, 0);
    for (buffer.size = 0; buffer.size < bytes;) {
      const std::size_t most = std::min(bytes, std::max(2 * buffer.size, kChunkBytes));
      buffer.grow(most + 1, buffer.size);
      const std::size_t got = input_.read({buffer.data() + buffer.size, most - buffer.size});
      if (got == 0) throw Error(Place{input_.name, 0, 0}, "the file has become shorter since it was read");
      buffer.size += got;
    }
    at_ += bytes;
  }

  std::string path_;
  bool compressed_;
  ByteInput input_;
  std::uint64_t at_ = 0;
};

/// A chunk, with the numbers of its first row and of its first line among those after `before`.
struct PlacedChunk {
  Chunk chunk;
  std::int64_t first_row = 0;
  std::uint64_t first_line = 0;
  const LinesBefore& before;
};

std::uint64_t first_line_of(const PlacedChunk& placed) {
  return placed.first_line + (placed.before ? placed.before() : 0);
}

/// Appends the rows `wanted` of one chunk.
void append_rows(const TextFormat& format, const PlacedChunk& placed, const std::string& name,
                 std::span<const std::int64_t> wanted, std::vector<WrittenRow>& answer) {
  std::vector<std::int64_t> local(wanted.begin(), wanted.end());
  for (std::int64_t& row : local) row -= placed.first_row;
  std::vector<WrittenRow> found;
  try {
    found = format.written(placed.chunk, local);
  } catch (const TextError& error) {
    throw Error(Error::Kind::kInput, Place{name, first_line_of(placed) + error.line, error.column}, error.options,
                shown_text(error.message));
  }
  if (found.size() != wanted.size()) throw Error(Place{name, 0, 0}, "the file has changed since it was read");
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i].row = wanted[i];
    answer.push_back(std::move(found[i]));
  }
}

}  // namespace

void PagePlaces::add(const Page& page, std::size_t piece) {
  pages_.push_back({piece, page.batch.first_row, page.batch.rows, page.first_byte, page.bytes, page.first_line});
}

PagePlaces::File PagePlaces::file_of(const PieceReader& reader, std::size_t piece) {
  const TextInput& input = reader.inputs()[piece];
  return {reader.pieces()[piece].path, input.name, input.regular, input.compressed, input.stamp, input.format,
          input.lines_before};
}

void PagePlaces::complete(const PieceReader& reader, std::int64_t first_row) {
  for (std::size_t k = 0; k < reader.inputs().size(); ++k) files_.push_back(file_of(reader, k));
  for (Extent& page : pages_) page.first_row += first_row;
}

const PagePlaces::Extent& PagePlaces::page_of(std::int64_t row) const {
  const auto after = std::upper_bound(pages_.begin(), pages_.end(), row,
                                      [](std::int64_t r, const Extent& page) { return r < page.first_row; });
  if (after == pages_.begin() || row >= after[-1].first_row + after[-1].rows) {
    throw usage_error(fmt::format("{} has no row {}", files_.empty() ? "the input" : files_[0].name, row + 1));
  }
  return after[-1];
}

std::vector<WrittenRow> PagePlaces::written(std::span<const std::int64_t> rows) const {
  std::vector<WrittenRow> answer;
  std::optional<Bytes> bytes;
  std::size_t open = 0;  // the piece to which `bytes` belong
  ChunkBuffer buffer;
  while (!rows.empty()) {
    const Extent& page = page_of(rows[0]);
    const File& file = files_[page.piece];
    if (!file.regular) throw read_once_error(file.name);
    if (!bytes || open != page.piece) bytes.emplace(file.path, file.compressed, file.stamp);
    open = page.piece;
    const auto end = std::lower_bound(rows.begin(), rows.end(), page.first_row + page.rows);
    const auto here = rows.first(static_cast<std::size_t>(end - rows.begin()));
    bytes->read(page.first_byte, page.bytes, buffer);
    append_rows(file.format, {buffer.chunk(), page.first_row, page.first_line, file.lines_before}, file.name, here,
                answer);
    rows = rows.subspan(here.size());
  }
  return answer;
}

Place PagePlaces::place_in(const File& file, const Extent& page, std::int64_t row) {
  ChunkBuffer buffer;
  Bytes(file.path, file.compressed, file.stamp).read(page.first_byte, page.bytes, buffer);
  const PlacedChunk placed{buffer.chunk(), page.first_row, page.first_line, file.lines_before};
  return {file.name, first_line_of(placed) + line_of_row(file.format, placed.chunk, row - page.first_row), 0};
}

Place PagePlaces::place_of(std::int64_t row) const {
  const Extent& page = page_of(row);
  const File& file = files_[page.piece];
  if (!file.regular) return {file.name, 0, 0};
  try {
    return place_in(file, page, row);
  } catch (const Error&) {  // gone, or changed since
    return {file.name, 0, 0};
  }
}

Error PagePlaces::error_at_row(const PieceReader& reader, std::int64_t row, const std::string& message) const {
  const Extent& page = page_of(row);
  return {place_in(file_of(reader, page.piece), page, row), shown_text(message)};
}

std::vector<WrittenRow> reread_rows(PieceReader& reader, std::span<const std::int64_t> rows) {
  std::vector<WrittenRow> answer;
  while (!rows.empty()) {
    const auto read = reader.next();
    if (!read) throw usage_error(fmt::format("{} has no row {}", reader.inputs()[0].name, rows[0] + 1));
    const Page& page = read->parsed.page;
    const TextInput& input = reader.inputs()[reader.piece()];
    const auto end = std::lower_bound(rows.begin(), rows.end(), page.batch.first_row + page.batch.rows);
    const auto here = rows.first(static_cast<std::size_t>(end - rows.begin()));
    if (here.empty()) continue;
    append_rows(input.format, {read->chunk, page.batch.first_row, page.first_line, input.lines_before}, input.name,
                here, answer);
    rows = rows.subspan(here.size());
  }
  return answer;
}

}  // namespace linsep

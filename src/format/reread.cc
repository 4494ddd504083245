#include "format/reread.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "format/bytes.h"
#include "format/chunker.h"
#include "linsep/error.h"

namespace linsep {
namespace {

struct Extent {
  std::int64_t first_row = 0, rows = 0;
  std::uint64_t first_byte = 0, bytes = 0, first_line = 0;
};

/// A file that was read before, and where its pages lie in it.
struct Reread {
  std::string path;
  std::string name;
  bool compressed = false;
  FileStamp stamp;
  TextFormat format;
  std::vector<Extent> pages;
};

/// The bytes of one page, from an input that stands at byte `at` of the text.
void read_page(const ByteInput& input, std::uint64_t& at, const Extent& page, ChunkBuffer& buffer) {
  const auto fill = [&](std::size_t bytes) {
    buffer.grow(bytes + 1, 0);
    for (buffer.size = 0; buffer.size < bytes;) {
      const std::size_t got = input.read({buffer.data() + buffer.size, bytes - buffer.size});
      if (got == 0) throw Error(Place{input.name, 0, 0}, "the file has become shorter since it was read");
      buffer.size += got;
    }
    at += bytes;
  };
  while (at < page.first_byte) fill(std::min<std::uint64_t>(page.first_byte - at, kChunkBytes));
  fill(page.bytes);
  buffer.data()[buffer.size] = '\n';
  buffer.first_byte = page.first_byte;
}

/// Appends the rows `wanted` of one chunk, whose first row is number `first_row`.
void append_rows(const TextFormat& format, const Chunk& chunk, std::int64_t first_row, const std::string& name,
                 std::uint64_t first_line, std::span<const std::int64_t> wanted, std::vector<WrittenRow>& answer) {
  std::vector<std::int64_t> local(wanted.begin(), wanted.end());
  for (std::int64_t& row : local) row -= first_row;
  std::vector<WrittenRow> found;
  try {
    found = format.written(chunk, local);
  } catch (const TextError& error) {
    throw Error(Place{name, first_line + error.line, error.column}, error.message);
  }
  if (found.size() != wanted.size()) throw Error(Place{name, 0, 0}, "the file has changed since it was read");
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i].row = wanted[i];
    answer.push_back(std::move(found[i]));
  }
}

std::vector<WrittenRow> reread(const Reread& file, std::span<const std::int64_t> rows) {
  std::vector<WrittenRow> answer;
  ByteInput input = open_bytes(file.path);
  if (input.stamp != file.stamp) throw Error(Place{file.name, 0, 0}, "the file has changed since it was read");
  std::uint64_t at = 0;
  ChunkBuffer buffer;
  while (!rows.empty()) {
    const auto after = std::upper_bound(file.pages.begin(), file.pages.end(), rows[0],
                                        [](std::int64_t row, const Extent& page) { return row < page.first_row; });
    if (after == file.pages.begin() || rows[0] >= after[-1].first_row + after[-1].rows) {
      throw usage_error(fmt::format("{} has no row {}", file.name, rows[0] + 1));
    }
    const Extent& page = after[-1];
    const auto end = std::lower_bound(rows.begin(), rows.end(), page.first_row + page.rows);
    const auto here = rows.first(static_cast<std::size_t>(end - rows.begin()));
    if (!file.compressed && at != page.first_byte) {
      input = open_bytes_at(file.path, page.first_byte);
      at = page.first_byte;
    }
    read_page(input, at, page, buffer);
    append_rows(file.format, buffer.chunk(), page.first_row, file.name, page.first_line, here, answer);
    rows = rows.subspan(here.size());
  }
  return answer;
}

}  // namespace

Error read_once_error(const std::string& name) {
  return usage_error(fmt::format("{} can be read only once: give a file", name));
}

WrittenReader reread_pages(const std::string& path, const TextInput& input, std::span<const Page> pages) {
  if (!input.regular) {
    return
        [name = input.name](std::span<const std::int64_t>) -> std::vector<WrittenRow> { throw read_once_error(name); };
  }
  auto file = std::make_shared<Reread>(Reread{path, input.name, input.compressed, input.stamp, input.format, {}});
  for (const Page& page : pages) {
    file->pages.push_back({page.batch.first_row, page.batch.rows, page.first_byte, page.bytes, page.first_line});
  }
  return [file](std::span<const std::int64_t> rows) { return reread(*file, rows); };
}

std::vector<WrittenRow> reread_rows(TextInput& input, std::span<const std::int64_t> rows) {
  std::vector<WrittenRow> answer;
  while (!rows.empty()) {
    const auto read = input.pages->next();
    if (!read) throw usage_error(fmt::format("{} has no row {}", input.name, rows[0] + 1));
    const Page& page = read->parsed.page;
    const auto end = std::lower_bound(rows.begin(), rows.end(), page.batch.first_row + page.batch.rows);
    const auto here = rows.first(static_cast<std::size_t>(end - rows.begin()));
    if (here.empty()) continue;
    append_rows(input.format, read->chunk, page.batch.first_row, input.name, page.first_line, here, answer);
    rows = rows.subspan(here.size());
  }
  return answer;
}

}  // namespace linsep

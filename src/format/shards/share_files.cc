#include "format/shards/share_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "core/bytes.h"
#include "format/shards/split_files.h"
#include "format/text/bytes.h"
#include "linsep/comm.h"
#include "linsep/error.h"

namespace linsep {
namespace {

/// A row that is longer isn't looked at in search of its end: its file stays whole.
constexpr std::size_t kLongestRow = std::size_t{64} << 20;
constexpr std::size_t kBlock = std::size_t{1} << 20;

struct FileFacts {
  FileLayout layout;
  std::uint64_t bytes = 0;
  bool compressed = false;
};

FileFacts look_at(const std::string& path, const ReadOptions& options, const Stations& stations) {
  const TextInput input = open_text(path, options, stations, {0, 0});
  return {layout_of(input), input.stamp.bytes, input.compressed};
}

/// Each file is looked at by one worker.
std::vector<FileFacts> look_at_all(std::span<const std::string> paths, const ReadOptions& options,
                                   const Stations& stations, Comm& comm) {
  const auto rank = static_cast<std::size_t>(comm.rank()), workers = static_cast<std::size_t>(comm.size());
  ByteWriter writer;
  rethrow_on_all(comm, [&] {
    for (std::size_t i = rank; i < paths.size(); i += workers) {
      const FileFacts facts = look_at(paths[i], options, stations);
      write_layout(writer, facts.layout);
      writer.number(facts.bytes);
      writer.number<std::uint8_t>(facts.compressed ? 1 : 0);
    }
  });
  const std::vector<std::string> all = gather_text(comm, writer.bytes());
  std::vector<ByteReader> readers(all.begin(), all.end());
  std::vector<FileFacts> files(paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    ByteReader& reader = readers[i % workers];
    files[i].layout = read_layout(reader);
    files[i].bytes = reader.number<std::uint64_t>();
    files[i].compressed = reader.number<std::uint8_t>() != 0;
  }
  return files;
}

void require_same_layouts(const std::vector<FileFacts>& files) {
  const auto first = std::ranges::find_if(files, [](const FileFacts& file) { return file.layout.known; });
  for (const FileFacts& file : files) {
    if (first != files.end()) require_same_layout(first->layout, file.layout);
  }
}

/// Whether a part that begins with a row ends with one. `whole_rows` is the format's.
bool ends_with_row(const std::string& path, const std::function<std::size_t(std::string_view)>& whole_rows,
                   std::uint64_t first, std::uint64_t end) {
  if (first >= end) return true;
  const ReadBytes read = limited(open_bytes_at(path, first).read, end - first);
  std::string text;
  std::size_t look_at = kBlock;  // the text's length at which its rows are looked for again
  for (;;) {
    const std::size_t size = text.size();
    text.resize(size + kBlock);
    const std::size_t got = read(std::span(text).subspan(size));
    text.resize(size + got);
    if (got > 0 && text.size() < look_at) continue;
    text.erase(0, whole_rows(text));
    if (got == 0) return text.empty();
    if (text.size() > kLongestRow) return false;
    look_at = std::max(kBlock, 2 * text.size());
  }
}

bool cut_between_rows(const std::string& path, const FilePart& part, const ReadOptions& options,
                      const Stations& stations) {
  const TextInput input = open_text(path, options, stations, {0, 0});
  if (input.kind == ReadOptions::Format::kSvmlight) return true;
  const std::uint64_t header = input.format.header_bytes;
  return ends_with_row(path, input.format.whole_rows, line_beginning(path, part.range.first_byte, header),
                       line_beginning(path, part.range.end_byte, header));
}

/// Decides which files are whole, and returns this worker's parts.
std::vector<FilePart> agree_on_parts(std::span<const std::string> paths, std::vector<SizedFile> files,
                                     const ReadOptions& options, const Stations& stations, Comm& comm) {
  for (;;) {
    const std::vector<FilePart> mine = split_files(files, comm.size())[static_cast<std::size_t>(comm.rank())];
    std::vector<std::int64_t> uncut(files.size(), 0);
    rethrow_on_all(comm, [&] {
      for (const FilePart& part : mine) {
        if (part.range.empty() || part.range.end_byte == TextRange::kEndOfFile) continue;
        uncut[part.file] = cut_between_rows(paths[part.file], part, options, stations) ? 0 : 1;
      }
    });
    comm.all_reduce(std::span(uncut), Comm::Op::kMax);
    if (std::ranges::count(uncut, 0) == std::ssize(uncut)) return mine;
    for (std::size_t i = 0; i < files.size(); ++i) files[i].whole = files[i].whole || uncut[i] != 0;
  }
}

void require_shareable(std::span<const std::string> paths, const std::vector<FileFacts>& files, int workers) {
  const auto compressed = std::ranges::count_if(files, &FileFacts::compressed);
  if (compressed < std::ssize(files) || compressed >= workers) return;
  throw usage_error(fmt::format(
      "{}: a compressed file is read by one worker, and there are {} workers for {} file{}: start as many workers as "
      "files, decompress, or compress in more parts",
      paths[0], workers, files.size(), files.size() == 1 ? "" : "s"));
}

/// Every worker must see the file that was looked at.
void require_same_sizes(std::span<const std::string> paths, const std::vector<FileFacts>& files,
                        const std::vector<FilePart>& parts) {
  for (const FilePart& part : parts) {
    const std::uint64_t bytes = open_bytes_at(paths[part.file], 0).stamp.bytes;
    if (bytes == files[part.file].bytes) continue;
    throw Error(Place{paths[part.file], 0, 0},
                fmt::format("has {} bytes for one worker and {} for another: all workers must see the same files",
                            bytes, files[part.file].bytes));
  }
}

}  // namespace

std::vector<Piece> share_files(std::span<const std::string> paths, const ReadOptions& options, const Stations& stations,
                               Comm& comm) {
  const int workers = comm.size();
  std::vector<Piece> pieces;
  bool ordinary = true;
  for (const std::string& path : paths) {
    pieces.push_back({path, {}});
    if (is_standard_input(path) && paths.size() > 1)
      throw usage_error("standard input goes alone: leave out the files");
    if (can_be_opened_again(path)) continue;
    ordinary = false;
    if (workers == 1) continue;
    throw usage_error(fmt::format("{} can be read only once, by one worker: give files, not a stream, to {} workers",
                                  is_standard_input(path) ? "standard input" : path, workers));
  }
  if (workers == 1 && (paths.size() == 1 || !ordinary)) return pieces;

  const std::vector<FileFacts> files = look_at_all(paths, options, stations, comm);
  require_same_layouts(files);
  if (workers == 1) return pieces;
  require_shareable(paths, files, workers);
  std::vector<SizedFile> sizes;
  for (const FileFacts& file : files) sizes.push_back({file.bytes, file.compressed});
  const std::vector<FilePart> parts = agree_on_parts(paths, std::move(sizes), options, stations, comm);
  rethrow_on_all(comm, [&] { require_same_sizes(paths, files, parts); });
  // A worker without rows still has to know the layout.
  const auto known = std::ranges::find_if(files, [](const FileFacts& file) { return file.layout.known; });
  const auto telling = known == files.end() ? std::size_t{0} : static_cast<std::size_t>(known - files.begin());
  pieces.clear();
  for (const FilePart& part : parts) {
    pieces.push_back({paths[part.range.empty() ? telling : part.file], part.range});
  }
  return pieces;
}

}  // namespace linsep

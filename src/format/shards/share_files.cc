#include "format/shards/share_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string_view>
#include <utility>

#include "bytes/bytes.h"
#include "bytes/folder.h"
#include "core/bytes.h"
#include "linsep/comm.h"
#include "linsep/error.h"

namespace linsep {
namespace {

/// A position between two bytes in the sequence of all files.
struct Cut {
  std::size_t file = 0;
  std::uint64_t byte = 0;  ///< below the file's length
};

/// `total`·k/workers without overflow.
std::uint64_t share(std::uint64_t total, std::uint64_t k, std::uint64_t workers) {
  return total / workers * k + total % workers * k / workers;
}

Cut cut_at(std::span<const SizedFile> files, std::uint64_t byte) {
  std::size_t i = 0;
  while (i < files.size() && byte >= files[i].bytes) byte -= files[i++].bytes;
  if (i == files.size() || !files[i].whole) return {i, i == files.size() ? 0 : byte};
  return {byte > files[i].bytes / 2 ? i + 1 : i, 0};
}

std::vector<FilePart> parts_between(std::span<const SizedFile> files, const Cut& from, const Cut& to) {
  std::vector<FilePart> parts;
  for (std::size_t i = from.file; i < files.size() && i <= to.file; ++i) {
    const std::uint64_t first = i == from.file ? from.byte : 0;
    const std::uint64_t end = i == to.file ? to.byte : TextRange::kEndOfFile;
    if (first < end) parts.push_back({i, {first, end}});
  }
  if (parts.empty()) parts.push_back({std::min(from.file, files.size() - 1), {0, 0}});
  return parts;
}

}  // namespace

std::vector<std::vector<FilePart>> split_files(std::span<const SizedFile> files, int workers) {
  std::uint64_t total = 0;
  for (const SizedFile& file : files) total += file.bytes;
  const auto count = static_cast<std::size_t>(workers);
  std::vector<Cut> cuts{{0, 0}};
  for (std::size_t k = 1; k < count; ++k) cuts.push_back(cut_at(files, share(total, k, count)));
  cuts.push_back({files.size(), 0});
  const bool all_whole = std::ranges::all_of(files, &SizedFile::whole);
  for (std::size_t k = 1; all_whole && count <= files.size() && k < count; ++k) {
    cuts[k].file = std::clamp(cuts[k].file, cuts[k - 1].file + 1, files.size() - (count - k));
  }
  std::vector<std::vector<FilePart>> parts;
  for (std::size_t k = 0; k < count; ++k) parts.push_back(parts_between(files, cuts[k], cuts[k + 1]));
  return parts;
}

namespace {

/// A longer row isn't searched for its end, so its file stays whole.
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

/// Looks at all files, each in one worker.
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

/// Whether a part that begins with a row also ends with one. `whole_rows` is the format's.
bool ends_with_row(const std::string& path, const std::function<std::size_t(std::string_view)>& whole_rows,
                   std::uint64_t first, std::uint64_t end) {
  if (first >= end) return true;
  const ReadBytes read = limited(open_bytes_at(path, first).read, end - first);
  std::string text;
  std::size_t look_at = kBlock;  // the text's length at which its rows are next searched for
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
  if (!facts_of(input.kind).has_columns) return true;  // without quotes, a newline always ends a row
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
  throw usage_error(
      fmt::format("{}: only one worker can read a compressed file, but there are {} workers for {} file{}: start as "
                  "many workers as files, decompress them, or split them into more files",
                  paths[0], workers, files.size(), files.size() == 1 ? "" : "s"));
}

/// Checks that every worker sees the file that was looked at.
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

std::vector<std::string> text_files(std::span<const std::string> paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(path, ignored)) {
      files.push_back(path);
      continue;
    }
    const std::vector<std::string> found = files_below(path);
    if (found.empty()) throw Error(Place{path, 0, 0}, "the folder has no files");
    for (const std::string& file : found) {
      const std::filesystem::path below = std::filesystem::path(file).lexically_relative(path).parent_path();
      if (below.string().find('=') != std::string::npos) {
        throw Error(Place{file, 0, 0}, fmt::format("the folder {} would become a column, which only Parquet and Arrow "
                                                   "files support: add the column to the files",
                                                   below.string()));
      }
      const bool pages = file.ends_with(".lsp") && std::ranges::binary_search(found, file.substr(0, file.size() - 4));
      if (!pages) files.push_back(file);
    }
  }
  return files;
}

std::vector<Piece> share_files(std::span<const std::string> paths, const ReadOptions& options, const Stations& stations,
                               Comm& comm) {
  const int workers = comm.size();
  std::vector<Piece> pieces;
  bool ordinary = true;
  for (const std::string& path : paths) {
    pieces.push_back({path, {}});
    if (is_standard_input(path) && paths.size() > 1)
      throw usage_error("standard input can't be combined with files: leave them out");
    if (can_be_opened_again(path)) continue;
    ordinary = false;
    if (workers == 1) continue;
    throw usage_error(fmt::format("{} can be read only once, by one worker: {} workers need files, not a stream",
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

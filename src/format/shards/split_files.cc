#include "format/shards/split_files.h"

#include <algorithm>

namespace linsep {
namespace {

/// A position between two bytes of all files.
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

}  // namespace linsep

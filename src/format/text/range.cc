#include "format/text/range.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace linsep {
namespace {

constexpr std::size_t kBlock = 65536;

}  // namespace

std::uint64_t line_beginning(const std::string& path, std::uint64_t byte, std::uint64_t header_bytes) {
  if (byte <= header_bytes) return header_bytes;
  std::uint64_t at = byte - 1;  // a newline there ends the line before
  const ByteInput input = open_bytes_at(path, at);
  std::vector<char> block(kBlock);
  while (const std::size_t got = input.read(block)) {
    const std::size_t newline = std::string_view(block.data(), got).find('\n');
    if (newline != std::string_view::npos) return at + newline + 1;
    at += got;
  }
  return std::max(at, byte);
}

std::uint64_t lines_before(const std::string& path, std::uint64_t byte) {
  const ReadBytes read = limited(open_bytes_at(path, 0).read, byte);
  std::vector<char> block(kBlock);
  std::uint64_t lines = 0;
  while (const std::size_t got = read(block)) {
    lines += static_cast<std::uint64_t>(std::count(block.data(), block.data() + got, '\n'));
  }
  return lines;
}

ReadBytes limited(ReadBytes read, std::uint64_t bytes) {
  return [read = std::move(read), left = bytes](std::span<char> to) mutable -> std::size_t {
    if (left == 0) return 0;
    const std::size_t got = read(to.first(static_cast<std::size_t>(std::min<std::uint64_t>(to.size(), left))));
    left -= got;
    return got;
  };
}

}  // namespace linsep

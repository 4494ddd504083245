// TextRange: a part of a plain file by its bytes, which stands for the lines that begin in it.
//
// Ranges that follow one another without a hole share the lines out without a rest: a line belongs to the range that
// holds its first byte, however long it is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "format/text/bytes.h"

namespace linsep {

struct TextRange {
  static constexpr std::uint64_t kEndOfFile = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t first_byte = 0;
  std::uint64_t end_byte = kEndOfFile;

  /// All of the file, whatever kind of file it is.
  bool whole() const { return first_byte == 0 && end_byte == kEndOfFile; }
  bool empty() const { return first_byte >= end_byte; }
  /// How many of a file's bytes are in it.
  std::uint64_t bytes_of(std::uint64_t file_bytes) const {
    const std::uint64_t end = std::min(end_byte, file_bytes);
    return end - std::min(first_byte, end);
  }
  bool operator==(const TextRange&) const = default;
};

/// Where the first line begins that begins at `byte` or behind it; the file's end where none does. Lines begin behind
/// the first `header_bytes` bytes.
std::uint64_t line_beginning(const std::string& path, std::uint64_t byte, std::uint64_t header_bytes);

/// How many lines end before `byte`.
std::uint64_t lines_before(const std::string& path, std::uint64_t byte);

/// At most `bytes` bytes of what `read` has.
ReadBytes limited(ReadBytes read, std::uint64_t bytes);

}  // namespace linsep

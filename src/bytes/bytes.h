// Bytes: files, pipes and standard input as sequences of bytes, read once from their beginning and decompressed; parts
// of plain files; streams kept so that they can be read again; the files of a folder.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linsep/read.h"

namespace linsep {

/// Fills `to` from its beginning and returns how many bytes it wrote. 0 means the end of the input. Fewer than asked
/// doesn't mean the end: it means that there are no more just now. Throws Error.
using ReadBytes = std::function<std::size_t(std::span<char> to)>;

/// What tells one state of a file from another.
struct FileStamp {
  std::uint64_t device = 0, inode = 0, bytes = 0;
  std::int64_t written_seconds = 0, written_nanoseconds = 0;  ///< when it was last written to, as its owner may set it
  std::int64_t changed_seconds = 0, changed_nanoseconds = 0;  ///< when the system last changed anything about it

  bool operator==(const FileStamp&) const = default;
};

struct ByteInput {
  ReadBytes read;
  std::string name;         ///< for messages: the path, or "standard input"
  bool regular = false;     ///< an ordinary file that can be opened again
  bool compressed = false;  ///< gzip or zstd: byte numbers of the text aren't those of the file
  FileStamp stamp;          ///< regular only
  /// Set to true, it ends a `read` that waits for a pipe or a terminal: the read returns 0.
  std::shared_ptr<std::atomic<bool>> stop;
};

/// Opens a file, or standard input for "-". Throws a system Error when it can't be opened. `interrupt` (may be
/// nullptr), set from elsewhere, makes every read throw an Error of kind kInterrupted, also one that waits.
ByteInput open_bytes(const std::string& path, const std::atomic<bool>* interrupt = nullptr);

/// The same, but what is compressed stays so.
ByteInput open_raw_bytes(const std::string& path, const std::atomic<bool>* interrupt = nullptr);

/// An uncompressed ordinary file from a given byte on.
ByteInput open_bytes_at(const std::string& path, std::uint64_t first_byte);

/// False: standard input, a pipe or another stream, which gives its bytes once. True also where there is no such file.
bool can_be_opened_again(const std::string& path);

inline bool is_standard_input(const std::string& path) { return path == "-"; }

/// Decompresses gzip and zstd, recognized by their first bytes, and tells whether it does; other bytes come as they
/// are. Members (gzip) or frames (zstd) that follow one another are read as one text; zero bytes behind the last gzip
/// member are padding. Throws an input Error named by the file when the data is damaged or cut off, after returning
/// what came out before the damage.
ReadBytes decompressed(ReadBytes read, const std::string& name, bool& compressed);

/// `head`, then what `rest` has.
ReadBytes joined(std::shared_ptr<const std::string> head, ReadBytes rest);

/// At most `bytes` bytes of what `read` has.
ReadBytes limited(ReadBytes read, std::uint64_t bytes);

/// Reads all of an input that can't be opened again and keeps its bytes, as they come, for every later `open_bytes` of
/// this path: in memory up to 64 MB (with `options.memory` up to an eighth of it), beyond in a temporary file. Does
/// nothing for an ordinary file.
void hold_input(const std::string& path, const ReadOptions& options);

/// The next `open_bytes` of this path is the last that reads what is held.
void release_input(const std::string& path);

/// Of an input that can't be opened again: the next `open_bytes` of this path may read some of its bytes and leave it;
/// the one after that begins with those bytes and goes on with the rest. Does nothing for an ordinary file.
void hold_beginning(const std::string& path);

/// What is to be read of an input, `raw` being its own bytes: these, or what is held of them.
ReadBytes read_held(const std::string& path, ReadBytes raw);

/// A part of a plain file by its bytes, which stands for the lines that begin in it. Ranges that follow one another
/// without a hole share the lines out without a rest: a line belongs to the range that holds its first byte, however
/// long it is.
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

}  // namespace linsep

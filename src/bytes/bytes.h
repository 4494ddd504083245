// Bytes of files, pipes and standard input, read once from their beginning and decompressed. Also parts of plain files,
// streams that are kept so that they can be read again, and the files of a folder.
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

/// Fills `to` from its beginning and returns how many bytes it wrote. Returning 0 means the end of the input. Returning
/// fewer than requested only means that no more are available just now. Throws Error.
using ReadBytes = std::function<std::size_t(std::span<char> to)>;

/// Distinguishes one state of a file from another.
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
  /// Setting this to true ends a `read` that waits for a pipe or a terminal. The read then returns 0.
  std::shared_ptr<std::atomic<bool>> stop;
};

/// Opens a file, or standard input for "-". Throws a system Error if it can't be opened. Setting `interrupt` (may be
/// nullptr) from elsewhere makes every read throw an Error of kind kInterrupted, even one that is waiting.
ByteInput open_bytes(const std::string& path, const std::atomic<bool>* interrupt = nullptr);

/// Like open_bytes, but compressed bytes stay compressed.
ByteInput open_raw_bytes(const std::string& path, const std::atomic<bool>* interrupt = nullptr);

/// Opens an uncompressed ordinary file from a given byte on.
ByteInput open_bytes_at(const std::string& path, std::uint64_t first_byte);

/// Returns false for standard input, pipes and other streams, which give their bytes only once. Returns true if there
/// is no such file.
bool can_be_opened_again(const std::string& path);

inline bool is_standard_input(const std::string& path) { return path == "-"; }

/// Decompresses gzip and zstd, which are recognized by their first bytes, and sets `compressed`. Other bytes pass
/// through unchanged. Consecutive gzip members or zstd frames are read as one text, and zero bytes after the last gzip
/// member are padding. If the data is damaged or cut off, returns what came out before the damage and then throws an
/// input Error that names the file.
ReadBytes decompressed(ReadBytes read, const std::string& name, bool& compressed);

/// Reads `head`, then what `rest` has.
ReadBytes joined(std::shared_ptr<const std::string> head, ReadBytes rest);

/// Reads at most `bytes` bytes from `read`.
ReadBytes limited(ReadBytes read, std::uint64_t bytes);

/// Reads all of an input that can't be opened again and keeps its bytes, still compressed, for every later `open_bytes`
/// of this path. Up to 64 MB stay in memory (up to an eighth of `options.memory` if that is set and less), and more
/// goes to a temporary file. Does nothing for an ordinary file.
void hold_input(const std::string& path, const ReadOptions& options);

/// Promises that the next `open_bytes` of this path is the last to read what is held.
void release_input(const std::string& path);

/// Lets an input that can't be opened again be opened twice. The next `open_bytes` of this path may read some bytes and
/// stop. The one after that begins with those bytes and goes on with the rest. Does nothing for an ordinary file.
void hold_beginning(const std::string& path);

/// Returns what to read of an input: the bytes that are held, or `raw` (the input's own bytes) if none are.
ReadBytes read_held(const std::string& path, ReadBytes raw);

/// A range of bytes of a plain file, which stands for the lines that begin in it. Adjacent ranges divide the lines
/// among them without a gap: each line belongs to the range that holds its first byte, however long it is.
struct TextRange {
  static constexpr std::uint64_t kEndOfFile = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t first_byte = 0;
  std::uint64_t end_byte = kEndOfFile;

  /// Whether this is all of the file. The file may be of any kind.
  bool whole() const { return first_byte == 0 && end_byte == kEndOfFile; }
  bool empty() const { return first_byte >= end_byte; }
  /// How many of the file's bytes are in the range.
  std::uint64_t bytes_of(std::uint64_t file_bytes) const {
    const std::uint64_t end = std::min(end_byte, file_bytes);
    return end - std::min(first_byte, end);
  }
  bool operator==(const TextRange&) const = default;
};

/// Returns where the first line at or after `byte` begins, or the file's end if there is none. Lines begin after the
/// first `header_bytes` bytes.
std::uint64_t line_beginning(const std::string& path, std::uint64_t byte, std::uint64_t header_bytes);

/// How many lines end before `byte`.
std::uint64_t lines_before(const std::string& path, std::uint64_t byte);

}  // namespace linsep

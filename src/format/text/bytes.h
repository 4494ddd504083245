// Bytes: an input as a sequence of bytes, read once from its beginning; gzip and zstd are seen through.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace linsep {

/// Fills `to` from its beginning and returns how many bytes it wrote. 0 means the end of the input. Fewer than asked
/// doesn't mean the end: it means that there are no more just now. Throws Error.
using ReadBytes = std::function<std::size_t(std::span<char> to)>;

/// What tells one state of a file from another.
struct FileStamp {
  std::uint64_t device = 0, inode = 0, bytes = 0;
  std::int64_t changed_seconds = 0, changed_nanoseconds = 0;

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

}  // namespace linsep

// StreamedFile: a large file written piece by piece, which appears whole or not at all, or has no name from the start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace linsep {

class StreamedFile {
 public:
  /// A file under a temporary name beside `path`; `commit` gives it its own. A symbolic link is followed. Throws a
  /// system Error where `path` is there and is no regular file.
  static StreamedFile beside(const std::string& path);
  /// A file without a name in the directory for temporary files: it is gone when nobody has it open any more.
  static StreamedFile nameless();

  StreamedFile(StreamedFile&& other) noexcept;
  StreamedFile& operator=(StreamedFile&&) = delete;
  /// What wasn't committed is gone.
  ~StreamedFile();

  /// Both throw a system Error, that of a full disk among them.
  void append(std::string_view bytes);
  void write_at(std::uint64_t place, std::string_view bytes);
  /// Bytes that were written. Throws a system Error.
  std::string read_at(std::uint64_t place, std::size_t bytes) const;
  std::uint64_t size() const { return size_; }

  /// Syncs to the disk and renames. Throws a system Error; then the old file, if there was one, is unharmed.
  void commit();

  /// A descriptor of the same file for reading (and writing), which the caller closes.
  int duplicate() const;

 private:
  StreamedFile(int number, std::string path, std::string temporary);

  int number_ = -1;
  std::string path_;       // for messages, and the name it will have; empty: nameless
  std::string temporary_;  // empty: there is nothing to unlink
  std::uint64_t size_ = 0;
};

}  // namespace linsep

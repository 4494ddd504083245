// StreamedFile is the one way in which files are written, piece by piece, and seen whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace linsep {

class OpenFile;

/// How a file is written.
struct FileOptions {
  bool sync = true;      ///< wait for the disk before the file gets its name
  int most_mode = 0777;  ///< upper limit of the file's permissions, such as those of the file it is made from
  bool named = false;    ///< under a temporary name from the start, as on file systems without nameless files
};

/// A file that `commit` gives its name. Until then it has none, or a temporary one in the same folder if the file
/// system doesn't support that. So after a crash or a kill, the name holds the old file or the new one. Symbolic links
/// are followed, and their target is replaced, with its permissions. A new file has those that the umask leaves.
class StreamedFile {
 public:
  /// Throws a system Error if it can't be written there, or if `path` exists and is no regular file.
  static StreamedFile beside(const std::string& path, const FileOptions& options = {});
  /// The same, except for what is no regular file (a device, a pipe) and what a process has open (/dev/stdout,
  /// /dev/fd/3, even if that is a regular file). Those are written in place, straight through, and only `append` works.
  static StreamedFile to(const std::string& path, const FileOptions& options = {});
  /// A file without a name in a folder ("" for that of temporary files). It is gone when nobody has it open any more.
  static StreamedFile nameless(const std::string& folder = "");

  StreamedFile(StreamedFile&& other) noexcept;
  StreamedFile& operator=(StreamedFile&&) = delete;
  /// Removes what wasn't committed.
  ~StreamedFile();

  /// Both throw a system Error, for example for a full disk.
  void append(std::string_view bytes);
  void write_at(std::uint64_t place, std::string_view bytes);
  /// Fills `to` with bytes that were written. Throws a system Error. Thread safe.
  void read_at(std::uint64_t place, std::span<char> to) const;
  std::uint64_t size() const { return size_; }
  /// Whether writing failed because nobody reads the pipe any more.
  bool broken_pipe() const { return broken_pipe_; }

  /// Gives the file its name, unless it is written straight through and has one. Throws a system Error. Then the old
  /// file, if there was one, is unharmed.
  void commit();

 private:
  friend class OpenFile;
  StreamedFile(int number, std::string path) : number_(number), path_(std::move(path)) {}
  void link_in_place();

  int number_ = -1;
  std::string path_;       // for messages, and the name it will have
  std::string temporary_;  // if empty, there is nothing to unlink
  bool pending_ = false;   // `commit` is to give it its name
  bool sync_ = true;
  bool broken_pipe_ = false;
  std::uint64_t size_ = 0;
};

/// Tries whether a file could be written there, before the work for it is done, and leaves nothing behind. Throws the
/// system Error of writing.
void try_to_write(const std::string& path);

}  // namespace linsep

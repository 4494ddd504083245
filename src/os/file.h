// Files that are written whole or not at all, and files that are read. Also targets of paths, temporary files and
// locks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "linsep/error.h"

namespace linsep {

class StreamedFile;

/// The target of a path, or the kind of an open file.
struct FileStatus {
  enum class Kind { kRegular, kDirectory, kPipe, kOther };
  Kind kind = Kind::kOther;
  std::uint64_t size = 0;
  std::uint64_t device = 0, number = 0;       ///< which file it is, whatever its name
  std::int64_t seconds = 0, nanoseconds = 0;  ///< when it was last written to, as its owner may set it
  /// When the system last changed anything about it, be it bytes, name or times. Nobody can set it to an earlier time.
  std::int64_t changed_seconds = 0, changed_nanoseconds = 0;
  int mode = 0;                   ///< permissions
  unsigned user = 0;              ///< its owner, or 0 if files have no users
  bool others_may_write = false;  ///< its group or everybody

  bool regular() const { return kind == Kind::kRegular; }
};

/// Nothing if there is no such file, or the system gives no status.
std::optional<FileStatus> file_status(const std::string& path);

/// The owner of files that this process makes, or 0 if files have no users.
unsigned process_user();

/// Whether only this user and the system's own can have made or changed the file with this status.
bool is_own(const FileStatus& status);

/// Whether both paths lead to one regular file, even by links.
bool is_same_file(const std::string& path, const std::string& other);

/// 0 if this process may read the file, otherwise the number of the system's error.
int reading_error(const std::string& path);

/// Bytes of a file as memory, read-only, for as long as this lives.
class MappedBytes {
 public:
  /// `skipped` bytes come before the first that was asked for, since the system maps whole pages.
  MappedBytes(void* data, std::size_t size, std::size_t skipped) : data_(data), size_(size), skipped_(skipped) {}
  MappedBytes(const MappedBytes&) = delete;
  MappedBytes& operator=(const MappedBytes&) = delete;
  ~MappedBytes();

  const char* data() const { return static_cast<const char*>(data_) + skipped_; }

 private:
  void* data_;
  std::size_t size_, skipped_;
};

/// A file that is read. Failures throw a system Error that begins with its name.
class OpenFile {
 public:
  /// A named pipe is opened at once, and `wait` waits for its writer.
  static OpenFile at(const std::string& path);
  static OpenFile standard_input();
  /// The same file, opened once more, so that it can be read after `file` has gone.
  static OpenFile again(const StreamedFile& file, std::string name);

  OpenFile(OpenFile&& other) noexcept;
  OpenFile& operator=(OpenFile&&) = delete;
  ~OpenFile();

  const std::string& name() const { return name_; }
  FileStatus status() const;

  /// The next bytes, at most `to.size()` of them. 0 at the end, and nothing if there are none yet.
  std::optional<std::size_t> read(std::span<char> to);
  /// Waits for at most this long until there is something to read, which may be an end or an error. Returns false if
  /// there isn't.
  bool wait(int milliseconds) const;
  void seek(std::uint64_t place);

  /// Reads from several threads at once. Returns how many bytes were read, which are fewer than asked for only at the
  /// end. The place from which `read` goes on after it differs between systems.
  std::size_t read_at(std::uint64_t place, std::span<char> to) const;
  /// Advice that these bytes are read soon.
  void will_need(std::uint64_t place, std::uint64_t bytes) const;
  /// With `now`, all bytes are fetched before it returns. Throws a system Error about `what`.
  MappedBytes map(std::uint64_t place, std::size_t bytes, bool now, const std::string& what) const;

 private:
  OpenFile(int number, bool owned, std::string name);

  int number_;
  bool owned_;
  std::string name_;
};

/// Writes a new file that nobody but this user may read. Throws a system Error, even if there is a file already.
void write_new_private_file(const std::string& path, std::string_view bytes);

/// Writes the file and syncs it to the disk, as a StreamedFile `to` that path, so a crash at any moment leaves the old
/// file or the new one. Throws a system Error. Then the old file is unharmed.
void write_file_atomically(const std::string& path, std::string_view bytes);

/// The file's bytes. Throws an input Error if it can't be opened, and a system Error if reading it fails.
std::string read_whole_file(const std::string& path);
/// The rest of an open file.
std::string read_whole_file(OpenFile file);

/// A system Error with the message "PATH: WHAT: the system's words for error `number`".
Error file_failure(const std::string& path, std::string_view what, int number);

/// The target of a path that is to be written.
struct Target {
  std::string name;                   ///< with all symbolic links followed
  bool straight = false;              ///< no regular file, or one that a process has open, so it is written in place
  int own = -1;                       ///< with `straight`, this process's own descriptor, to be used instead of opening
  std::optional<unsigned> mode = {};  ///< permissions of the existing regular file
  unsigned user = 0;                  ///< and its owner
  unsigned group = 0;
};

/// Follows symbolic links, even to a file that doesn't exist yet. Throws a system Error for a directory, or links that
/// lead nowhere.
Target find_target(const std::string& path);

/// The directory that a file is in, or "." if its name has none.
std::string directory_of(const std::string& path);

/// Makes new names within a file's directory durable. Not every file system can do that, and it is no error if it
/// can't.
void sync_directory_of(const std::string& path);

// Temporary files in the folder of a target. They are nameless if the file system can do that, otherwise under a name
// with their process.

/// The suffix of a temporary name, which is NAME.PROCESS.RANDOM followed by this.
inline constexpr std::string_view kTemporary = ".tmp";

/// A new temporary name of that form for a file called `name`.
std::string temporary_name(const std::string& name);

/// A file that has no name, in this directory, or −1 if it can't be made, with errno set.
int open_nameless(const std::string& directory, unsigned mode);

struct NamedFile {
  int number = -1;
  std::string name;
};
/// A new file under a temporary name of `name`. It is locked for as long as it is open, so that others see that its
/// writer lives. Throws a system Error that names `path`.
NamedFile open_named(const std::string& name, const std::string& path, unsigned mode);

/// Whether this process has ended, and nobody has its temporary file open.
bool is_abandoned(const std::string& path, std::int32_t process);

/// Removes what killed writers of `path` have left in its folder. Files of a process that lives, on this machine or
/// another, stay.
void remove_leftovers(const std::string& path);

/// A lock that is held by one process at a time, and released when that process ends for any reason.
class FileLock {
 public:
  /// Takes the lock of the file NAME, which is another file in the same folder that goes when the lock does. Nothing if
  /// another process holds it. Throws a system Error if there can't be one. If the file system has no locks, everybody
  /// gets one.
  static std::optional<FileLock> take(const std::string& name);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
  FileLock(int number, std::string path);

  int number_;
  std::string path_;
};

}  // namespace linsep

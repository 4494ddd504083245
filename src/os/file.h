// Files that appear whole or not at all, and files read whole; where a path leads; temporary files and locks.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include "linsep/error.h"

namespace linsep {

/// Writes the file and syncs it to the disk, as a StreamedFile `to` that path: a crash at any moment leaves the old
/// file or the new one. Throws a system Error; then the old file is unharmed.
void write_file_atomically(const std::string& path, std::string_view bytes);

/// The file's bytes. Throws an input Error when it can't be opened, a system Error when reading it fails.
std::string read_whole_file(const std::string& path);

/// A system Error: "PATH: WHAT: the system's words for error `number`".
Error file_failure(const std::string& path, std::string_view what, int number);

/// Where a path leads that is to be written.
struct Target {
  std::string name;                 ///< with all symbolic links followed
  bool straight = false;            ///< no regular file, or one that a process has open: to be written as it stands
  int own = -1;                     ///< `straight`: this process's own descriptor, to be used instead of opening
  std::optional<mode_t> mode = {};  ///< permissions of the regular file that is there
  uid_t user = 0;                   ///< and whose it is
  gid_t group = 0;
};

/// Follows symbolic links, also to what isn't there yet. Throws a system Error for a directory, or links that lead
/// nowhere.
Target find_target(const std::string& path);

/// The directory that a file is in: "." where its name has none.
std::string directory_of(const std::string& path);

/// Makes new names within a file's directory durable. Not every file system can do that: no error.
void sync_directory_of(const std::string& path);

// Temporary files beside a target: nameless where the file system can, else under a name that tells whose it is.

/// The suffix of a temporary name, which is NAME.PROCESS.RANDOM followed by this.
inline constexpr std::string_view kTemporary = ".tmp";

/// A new temporary name of that form for a file called `name`.
std::string temporary_name(const std::string& name);

/// A file that has no name, in this directory; −1 where it can't be, with errno set.
int open_nameless(const std::string& directory, mode_t mode);

struct NamedFile {
  int number = -1;
  std::string name;
};
/// A new file under a temporary name of `name`, locked for as long as it is open: so others see that its writer lives.
/// Throws a system Error that names `path`.
NamedFile open_named(const std::string& name, const std::string& path, mode_t mode);

/// Removes what killed writers of `path` have left beside it. What belongs to a process that lives, on this machine or
/// another, stays.
void remove_leftovers(const std::string& path);

/// Held by one process at a time, and by nobody once that has ended, however it did.
class FileLock {
 public:
  /// Takes the lock of the file NAME, which is another one beside it that goes when the lock does; nothing where
  /// another holds it. Throws a system Error where there can't be one. Where the file system has no locks, everybody
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

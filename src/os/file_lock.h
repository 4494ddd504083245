// FileLock: held by one process at a time, and by nobody once that has ended, however it did.
#pragma once

#include <optional>
#include <string>

namespace linsep {

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

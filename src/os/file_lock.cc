#include "os/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "os/target.h"

namespace linsep {

FileLock::FileLock(int number, std::string path) : number_(number), path_(std::move(path)) {}

FileLock::FileLock(FileLock&& other) noexcept
    : number_(std::exchange(other.number_, -1)), path_(std::move(other.path_)) {}

FileLock::~FileLock() {
  if (number_ < 0) return;
  ::unlink(path_.c_str());  // while it is still locked: whoever has opened it by now sees that it is gone
  ::close(number_);
}

std::optional<FileLock> FileLock::take(const std::string& name) {
  const std::string path = name + ".lock";
  for (;;) {
    const int number = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (number < 0) throw file_failure(name, "can't be written", errno);
    if (::flock(number, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      ::close(number);
      return std::nullopt;
    }
    struct stat mine{}, there{};
    const bool same = ::fstat(number, &mine) == 0 && ::stat(path.c_str(), &there) == 0 && mine.st_ino == there.st_ino &&
                      mine.st_dev == there.st_dev;
    if (same) return FileLock(number, path);
    ::close(number);  // of one who held it before, and has taken it away since
  }
}

}  // namespace linsep

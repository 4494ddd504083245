#include "os/temporary.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <random>

#include "os/target.h"

namespace linsep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRandomDigits = 12;

bool lock(int file) { return ::flock(file, LOCK_EX | LOCK_NB) == 0; }

/// The process in NAME.PROCESS.RANDOM.tmp, or 0 where a file isn't called like that.
pid_t process_of(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix) || !name.ends_with(kTemporary)) return 0;
  name.remove_prefix(prefix.size());
  name.remove_suffix(kTemporary.size());
  const std::size_t dot = name.find('.');
  if (dot == name.npos || name.size() != dot + 1 + kRandomDigits) return 0;
  if (name.substr(dot + 1).find_first_not_of("0123456789abcdef") != name.npos) return 0;
  pid_t process = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + dot, process);
  return error == std::errc() && end == name.data() + dot && process > 0 ? process : 0;
}

/// Whether nobody has the file open who wrote it. A writer holds a lock; and where locks do nothing, its process is
/// looked for.
bool is_abandoned(const std::string& path, pid_t process) {
  if (::kill(process, 0) == 0 || errno != ESRCH) return false;
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return false;
  struct stat status{};
  const bool free = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && lock(file);
  ::close(file);
  return free;
}

}  // namespace

std::string temporary_name(const std::string& name) {
  std::random_device random;
  const auto digits = fmt::format("{:08x}{:08x}", random(), random());
  return fmt::format("{}.{}.{}{}", name, ::getpid(), digits.substr(0, kRandomDigits), kTemporary);
}

int open_nameless(const std::string& directory, mode_t mode) {
#ifdef O_TMPFILE
  const int file = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
  if (file >= 0) lock(file);
  return file;
#else
  (void)directory, (void)mode;
  errno = EOPNOTSUPP;
  return -1;
#endif
}

NamedFile open_named(const std::string& name, const std::string& path, mode_t mode) {
  constexpr int kMostAttempts = 1000;
  for (int attempt = 0;; ++attempt) {
    NamedFile file{-1, temporary_name(name)};
    file.number = ::open(file.name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (file.number < 0) {
      if (errno != EEXIST || attempt == kMostAttempts) throw file_failure(path, "can't be written", errno);
      continue;
    }
    lock(file.number);
    // Somebody who took it for abandoned before it was locked has removed it.
    struct stat status{};
    if (attempt == kMostAttempts || ::fstat(file.number, &status) != 0 || status.st_nlink > 0) return file;
    ::close(file.number);
  }
}

void remove_leftovers(const std::string& path) {
  std::error_code error;
  const std::string target = find_target(path).name;
  const std::string prefix = fs::path(target).filename().string() + ".";
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_of(target), error)) {
    const std::string name = entry.path().filename().string();
    const pid_t process = process_of(name, prefix);
    if (process > 0 && is_abandoned(entry.path().string(), process)) fs::remove(entry.path(), error);
  }
}

}  // namespace linsep

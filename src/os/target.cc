#include "os/target.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <memory>
#include <system_error>

namespace linsep {
namespace {

constexpr long kProcFileSystem = 0x9fa0;
constexpr int kMostLinks = 40;

/// Links there, such as those to a process's open files, are the system's own and lead to no name.
bool in_proc(const std::string& directory) {
  struct statfs system{};
  return ::statfs(directory.c_str(), &system) == 0 && static_cast<long>(system.f_type) == kProcFileSystem;
}

std::string real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&::free)> real(::realpath(path.c_str(), nullptr), &::free);
  return real ? real.get() : "";
}

/// The descriptor that NAME in this directory stands for, where it is one of this process's; else −1.
int own_descriptor(const std::string& directory, const std::string& name) {
  const std::string real = real_path(directory);
  if (real.empty() || (real != real_path("/proc/self/fd") && real != real_path("/proc/thread-self/fd"))) return -1;
  int number = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() ? number : -1;
}

std::string read_link(const std::string& path) {
  std::string text(PATH_MAX, '\0');
  const ssize_t size = ::readlink(path.c_str(), text.data(), text.size());
  if (size <= 0) throw file_failure(path, "can't be followed", size < 0 ? errno : ENOENT);
  text.resize(static_cast<std::size_t>(size));
  return text;
}

}  // namespace

Error file_failure(const std::string& path, std::string_view what, int number) {
  return system_error(fmt::format("{}: {}: {}", path, what, std::generic_category().message(number)));
}

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

Target find_target(const std::string& path) {
  Target target;
  target.name = path;
  struct stat status{};
  for (int links = 0;; ++links) {
    if (target.name.empty() || target.name.back() == '/') throw file_failure(path, "can't be written", EISDIR);
    if (::lstat(target.name.c_str(), &status) != 0) {
      if (errno != ENOENT) throw file_failure(path, "can't be written", errno);
      return target;  // there is none yet
    }
    if (!S_ISLNK(status.st_mode)) break;
    const std::string directory = directory_of(target.name);
    if (in_proc(directory)) {
      target.straight = true;
      target.own = own_descriptor(directory, target.name.substr(target.name.rfind('/') + 1));
      return target;
    }
    if (links == kMostLinks) throw file_failure(path, "can't be written", ELOOP);
    const std::string link = read_link(target.name);
    target.name = link.front() == '/' || directory == "." ? link : fmt::format("{}/{}", directory, link);
  }
  if (S_ISDIR(status.st_mode)) throw file_failure(path, "can't be written", EISDIR);
  target.straight = !S_ISREG(status.st_mode);
  if (target.straight) return target;
  target.mode = status.st_mode & 07777;
  target.user = status.st_uid;
  target.group = status.st_gid;
  return target;
}

void sync_directory_of(const std::string& path) {
  const int directory = ::open(directory_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  ::fsync(directory);
  ::close(directory);
}

}  // namespace linsep

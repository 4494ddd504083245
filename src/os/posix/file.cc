#include "os/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/vfs.h>
#endif
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "linsep/error.h"
#include "linsep/tools/file.h"
#include "os/process.h"

namespace linsep {
namespace {

constexpr int kMostLinks = 40;

std::string real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&::free)> real(::realpath(path.c_str(), nullptr), &::free);
  return real ? real.get() : "";
}

/// Whether the entries of this directory, links or not, are the system's own and lead to no name, such as a process's
/// open files.
bool leads_to_no_name(const std::string& directory, [[maybe_unused]] bool link) {
#ifdef __linux__
  constexpr long kProcFileSystem = 0x9fa0;
  struct statfs system{};
  return link && ::statfs(directory.c_str(), &system) == 0 && static_cast<long>(system.f_type) == kProcFileSystem;
#else
  return real_path(directory) == "/dev/fd";
#endif
}

/// The descriptor that NAME in this directory stands for if it is one of this process's, otherwise −1.
int own_descriptor(const std::string& directory, const std::string& name) {
  const std::string real = real_path(directory);
  const bool own = real == "/dev/fd" || real == real_path("/proc/self/fd") || real == real_path("/proc/thread-self/fd");
  if (real.empty() || !own) return -1;
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
    const std::string directory = directory_of(target.name);
    if (leads_to_no_name(directory, S_ISLNK(status.st_mode))) {
      target.straight = true;
      target.own = own_descriptor(directory, target.name.substr(target.name.rfind('/') + 1));
      return target;
    }
    if (!S_ISLNK(status.st_mode)) break;
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

namespace {

bool lock(int file) { return ::flock(file, LOCK_EX | LOCK_NB) == 0; }

}  // namespace

/// A writer holds a lock. If locks do nothing, its process is looked for.
bool is_abandoned(const std::string& path, std::int32_t process) {
  if (::kill(process, 0) == 0 || errno != ESRCH) return false;
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return false;
  struct stat status{};
  const bool free = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && lock(file);
  ::close(file);
  return free;
}

int open_nameless(const std::string& directory, unsigned mode) {
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

NamedFile open_named(const std::string& name, const std::string& path, unsigned mode) {
  constexpr int kMostAttempts = 1000;
  for (int attempt = 0;; ++attempt) {
    NamedFile file{-1, temporary_name(name)};
    file.number = ::open(file.name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (file.number < 0) {
      if (errno != EEXIST || attempt == kMostAttempts) throw file_failure(path, "can't be written", errno);
      continue;
    }
    lock(file.number);
    // Another process may have taken it for abandoned before it was locked, and removed it.
    struct stat status{};
    if (attempt == kMostAttempts || ::fstat(file.number, &status) != 0 || status.st_nlink > 0) return file;
    ::close(file.number);
  }
}

namespace {

constexpr unsigned kNewFile = 0666;

/// The link through which a nameless file is given a name.
std::string own_link(int number) { return fmt::format("/proc/self/fd/{}", number); }

bool has_own_links() { return ::access("/proc/self/fd", X_OK) == 0; }

/// Permissions of the file that is replaced, and its owner as far as this process may. Never more than asked for.
void set_mode(int number, const Target& target, const FileOptions& options) {
  const auto most = static_cast<unsigned>(options.most_mode);
  struct stat status{};
  if (::fstat(number, &status) != 0) return;
  const bool same = !target.mode || (status.st_uid == target.user && status.st_gid == target.group);
  if (!same && ::fchown(number, target.user, target.group) != 0) {
    (void)!::fchown(number, static_cast<uid_t>(-1), target.group);
  }
  const unsigned mode = target.mode.value_or(status.st_mode) & most & 0777;
  if (mode != (status.st_mode & 07777)) ::fchmod(number, mode);
}

/// Waits for the disk.
bool flushed(int number) {
#ifdef F_FULLFSYNC
  if (::fcntl(number, F_FULLFSYNC) == 0) return true;  // for systems on which fsync doesn't wait
#endif
  return ::fsync(number) == 0;
}

/// Whether the system reports no error, such as a used-up quota, when a file is closed. Leaves the file open.
bool accepted(int number) {
  const int copy = ::fcntl(number, F_DUPFD_CLOEXEC, 0);
  return copy >= 0 && ::close(copy) == 0;
}

}  // namespace

StreamedFile::~StreamedFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  if (number_ >= 0) ::close(number_);
}

StreamedFile StreamedFile::beside(const std::string& path, const FileOptions& options) {
  const Target target = find_target(path);
  if (target.straight) throw file_failure(path, "can't be written", ESPIPE);
  const unsigned mode = kNewFile & static_cast<unsigned>(options.most_mode);
  const bool nameless = !options.named && has_own_links();
  StreamedFile file(nameless ? open_nameless(directory_of(target.name), mode) : -1, target.name);
  if (file.number_ < 0) {
    // Either the file system has no nameless files, or the reason holds for a named file too, which then reports it.
    remove_leftovers(target.name);
    NamedFile named = open_named(target.name, path, mode);
    file.number_ = named.number;
    file.temporary_ = std::move(named.name);
  }
  file.pending_ = true;
  file.sync_ = options.sync;
  set_mode(file.number_, target, options);
  return file;
}

StreamedFile StreamedFile::to(const std::string& path, const FileOptions& options) {
  const Target target = find_target(path);
  if (!target.straight) return beside(path, options);
  const int number = target.own >= 0 ? ::fcntl(target.own, F_DUPFD_CLOEXEC, 0)
                                     : ::open(target.name.c_str(), O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
  if (number < 0) throw file_failure(path, "can't be opened for writing", errno);
  return {number, path};
}

StreamedFile StreamedFile::nameless(const std::string& folder) {
  std::error_code error;
  std::filesystem::path directory = folder;
  if (folder.empty()) directory = std::filesystem::temp_directory_path(error);
  if (error) directory = "/tmp";
  const std::string name = fmt::format("a temporary file in {}", directory.string());
  StreamedFile file(open_nameless(directory.string(), 0600), name);
  if (file.number_ >= 0) return file;
  const NamedFile named = open_named((directory / "linsep-pages").string(), name, 0600);
  ::unlink(named.name.c_str());
  file.number_ = named.number;
  return file;
}

void StreamedFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(number_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    broken_pipe_ = written < 0 && errno == EPIPE;
    if (written < 0) throw file_failure(path_, "can't be written", errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
    size_ += static_cast<std::uint64_t>(written);
  }
}

void StreamedFile::write_at(std::uint64_t place, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(number_, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw file_failure(path_, "can't be written", errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
    place += static_cast<std::uint64_t>(written);
  }
}

namespace {

/// Returns how many bytes were read, which are fewer than asked for only at the end.
std::size_t read_from(int number, std::uint64_t place, std::span<char> to, const std::string& name) {
  std::size_t got = 0;
  while (got < to.size()) {
    const ssize_t more = ::pread(number, to.data() + got, to.size() - got, static_cast<off_t>(place + got));
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) throw file_failure(name, "can't be read", errno);
    if (more == 0) break;
    got += static_cast<std::size_t>(more);
  }
  return got;
}

}  // namespace

void StreamedFile::read_at(std::uint64_t place, std::span<char> to) const {
  if (read_from(number_, place, to, path_) < to.size()) throw file_failure(path_, "can't be read", EIO);
}

/// A link can't replace a file, so if one exists the nameless file goes by way of a temporary name.
void StreamedFile::link_in_place() {
  const std::string own = own_link(number_);
  const auto link_to = [&](const std::string& name) {
    return ::linkat(AT_FDCWD, own.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  };
  if (link_to(path_)) return;
  if (errno == EEXIST) {
    std::string name = temporary_name(path_);
    if (link_to(name)) temporary_ = std::move(name);
  }
  if (temporary_.empty()) throw file_failure(path_, "can't be written", errno);
}

void StreamedFile::commit() {
  if (!accepted(number_)) throw file_failure(path_, "can't be written", errno);
  if (!pending_) return;
  if (sync_ && !flushed(number_)) throw file_failure(path_, "can't be written", errno);
  if (temporary_.empty()) link_in_place();
  if (!temporary_.empty() && ::rename(temporary_.c_str(), path_.c_str()) != 0) {
    throw file_failure(path_, "can't be replaced", errno);
  }
  temporary_.clear();
  pending_ = false;
  if (sync_) sync_directory_of(path_);
}

void try_to_write(const std::string& path) {
  const Target target = find_target(path);
  if (!target.straight) {
    StreamedFile::beside(path, {.sync = false});
  } else if (target.own < 0 && ::access(target.name.c_str(), W_OK) != 0) {
    throw file_failure(path, "can't be written", errno);
  }
}

void write_new_private_file(const std::string& path, std::string_view bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  const bool written = file >= 0 && ::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  const int error = errno;
  if (file >= 0) ::close(file);
  if (!written) throw file_failure(path, "can't be written", error);
}

namespace {

FileStatus status_of(const struct stat& status) {
  FileStatus found;
  if (S_ISREG(status.st_mode)) found.kind = FileStatus::Kind::kRegular;
  if (S_ISDIR(status.st_mode)) found.kind = FileStatus::Kind::kDirectory;
  if (S_ISFIFO(status.st_mode)) found.kind = FileStatus::Kind::kPipe;
  found.size = static_cast<std::uint64_t>(status.st_size);
  found.device = static_cast<std::uint64_t>(status.st_dev);
  found.number = static_cast<std::uint64_t>(status.st_ino);
#ifdef __APPLE__
  const timespec &written = status.st_mtimespec, &changed = status.st_ctimespec;
#else
  const timespec &written = status.st_mtim, &changed = status.st_ctim;
#endif
  found.seconds = static_cast<std::int64_t>(written.tv_sec);
  found.nanoseconds = static_cast<std::int64_t>(written.tv_nsec);
  found.changed_seconds = static_cast<std::int64_t>(changed.tv_sec);
  found.changed_nanoseconds = static_cast<std::int64_t>(changed.tv_nsec);
  found.mode = static_cast<int>(status.st_mode & 0777);
  found.user = status.st_uid;
  found.others_may_write = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  return found;
}

}  // namespace

std::optional<FileStatus> file_status(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status_of(status);
}

unsigned process_user() { return ::geteuid(); }

int reading_error(const std::string& path) { return ::access(path.c_str(), R_OK) == 0 ? 0 : errno; }

MappedBytes::~MappedBytes() { ::munmap(data_, size_); }

OpenFile::~OpenFile() {
  if (owned_) ::close(number_);
}

OpenFile OpenFile::at(const std::string& path) {
  const auto there = file_status(path);
  const bool pipe = there && there->kind == FileStatus::Kind::kPipe;
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | (pipe ? O_NONBLOCK : 0));
  if (number < 0) throw file_failure(path, "can't be opened", errno);
  return {number, true, path};
}

OpenFile OpenFile::standard_input() { return {STDIN_FILENO, false, "standard input"}; }

OpenFile OpenFile::again(const StreamedFile& file, std::string name) {
  const int number = ::fcntl(file.number_, F_DUPFD_CLOEXEC, 0);
  if (number < 0) throw file_failure(file.path_, "can't be opened again", errno);
  return {number, true, std::move(name)};
}

FileStatus OpenFile::status() const {
  struct stat status{};
  if (::fstat(number_, &status) != 0) throw file_failure(name_, "can't be read", errno);
  return status_of(status);
}

std::optional<std::size_t> OpenFile::read(std::span<char> to) {
  const ssize_t got = ::read(number_, to.data(), to.size());
  if (got >= 0) return static_cast<std::size_t>(got);
  if (errno != EINTR && errno != EAGAIN) throw file_failure(name_, "can't be read", errno);
  return std::nullopt;
}

bool OpenFile::wait(int milliseconds) const {
  pollfd wanted{number_, POLLIN, 0};
  const int found = ::poll(&wanted, 1, milliseconds);
  return found > 0 || (found < 0 && errno != EINTR);  // an error shows itself in read()
}

void OpenFile::seek(std::uint64_t place) {
  if (::lseek(number_, static_cast<off_t>(place), SEEK_SET) >= 0) return;
  throw file_failure(name_, fmt::format("can't be read from its byte {}", place), errno);
}

std::size_t OpenFile::read_at(std::uint64_t place, std::span<char> to) const {
  return read_from(number_, place, to, name_);
}

void OpenFile::will_need(std::uint64_t place, std::uint64_t bytes) const {
#ifdef POSIX_FADV_WILLNEED
  ::posix_fadvise(number_, static_cast<off_t>(place), static_cast<off_t>(bytes), POSIX_FADV_WILLNEED);
#else
  (void)place, (void)bytes;
#endif
}

MappedBytes OpenFile::map(std::uint64_t place, std::size_t bytes, bool now, const std::string& what) const {
  int flags = MAP_SHARED;
#ifdef MAP_POPULATE
  if (now) flags |= MAP_POPULATE;
#else
  (void)now;
#endif
  static const auto unit = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const auto skipped = static_cast<std::size_t>(place % unit);
  void* data = ::mmap(nullptr, bytes + skipped, PROT_READ, flags, number_, static_cast<off_t>(place - skipped));
  if (data == MAP_FAILED) throw file_failure(name_, fmt::format("{} can't be mapped", what), errno);
  return {data, bytes + skipped, skipped};
}

FileLock::~FileLock() {
  if (number_ < 0) return;
  ::unlink(path_.c_str());  // while it is still locked, so whoever has opened it by now sees that it is gone
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
    ::close(number);  // it belonged to a process that held it before and has removed it since
  }
}

}  // namespace linsep

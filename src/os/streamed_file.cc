#include "linsep/tools/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "os/target.h"
#include "os/temporary.h"

namespace linsep {
namespace {

constexpr mode_t kNewFile = 0666;

/// Through which a nameless file is given a name.
std::string own_link(int number) { return fmt::format("/proc/self/fd/{}", number); }

bool has_own_links() { return ::access("/proc/self/fd", X_OK) == 0; }

/// Permissions of the file that is replaced, and its owner as far as this process may; never more than asked for.
void set_mode(int number, const Target& target, const FileOptions& options) {
  const auto most = static_cast<mode_t>(options.most_mode);
  struct stat status{};
  if (::fstat(number, &status) != 0) return;
  const bool same = !target.mode || (status.st_uid == target.user && status.st_gid == target.group);
  if (!same && ::fchown(number, target.user, target.group) != 0) {
    (void)!::fchown(number, static_cast<uid_t>(-1), target.group);
  }
  const mode_t mode = target.mode.value_or(status.st_mode) & most & 0777;
  if (mode != (status.st_mode & 07777)) ::fchmod(number, mode);
}

/// What the system says when a file is closed, such as that a quota is used up, without closing it.
bool accepted(int number) {
  const int copy = ::fcntl(number, F_DUPFD_CLOEXEC, 0);
  return copy >= 0 && ::close(copy) == 0;
}

}  // namespace

StreamedFile::StreamedFile(StreamedFile&& other) noexcept
    : number_(std::exchange(other.number_, -1)),
      path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      pending_(std::exchange(other.pending_, false)),
      sync_(other.sync_),
      broken_pipe_(other.broken_pipe_),
      size_(other.size_) {}

StreamedFile::~StreamedFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  if (number_ >= 0) ::close(number_);
}

StreamedFile StreamedFile::beside(const std::string& path, const FileOptions& options) {
  const Target target = find_target(path);
  if (target.straight) throw file_failure(path, "can't be written", ESPIPE);
  const mode_t mode = kNewFile & static_cast<mode_t>(options.most_mode);
  const bool nameless = !options.named && has_own_links();
  StreamedFile file(nameless ? open_nameless(directory_of(target.name), mode) : -1, target.name);
  if (file.number_ < 0) {
    // Where there are no nameless files; other reasons hold for a named one too, which tells them.
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

StreamedFile StreamedFile::nameless() {
  std::error_code error;
  std::filesystem::path directory = std::filesystem::temp_directory_path(error);
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

std::string StreamedFile::read_at(std::uint64_t place, std::size_t bytes) const {
  std::string read(bytes, '\0');
  for (std::size_t at = 0; at < bytes;) {
    const ssize_t got = ::pread(number_, read.data() + at, bytes - at, static_cast<off_t>(place + at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw file_failure(path_, "can't be read", got < 0 ? errno : EIO);
    at += static_cast<std::size_t>(got);
  }
  return read;
}

/// A link can't replace a file, so the nameless one goes by way of a temporary name where there is one.
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
  if (sync_ && ::fsync(number_) != 0) throw file_failure(path_, "can't be written", errno);
  if (temporary_.empty()) link_in_place();
  if (!temporary_.empty() && ::rename(temporary_.c_str(), path_.c_str()) != 0) {
    throw file_failure(path_, "can't be replaced", errno);
  }
  temporary_.clear();
  pending_ = false;
  if (sync_) sync_directory_of(path_);
}

int StreamedFile::duplicate() const {
  const int copy = ::fcntl(number_, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) throw file_failure(path_, "can't be opened again", errno);
  return copy;
}

void try_to_write(const std::string& path) {
  const Target target = find_target(path);
  if (!target.straight) {
    StreamedFile::beside(path, {.sync = false});
  } else if (target.own < 0 && ::access(target.name.c_str(), W_OK) != 0) {
    throw file_failure(path, "can't be written", errno);
  }
}

}  // namespace linsep

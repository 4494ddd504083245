#include "os/streamed_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "linsep/error.h"

namespace linsep {
namespace {

Error failure(const std::string& path, std::string_view what, int number) {
  return system_error(fmt::format("{}: {}: {}", path, what, std::generic_category().message(number)));
}

/// A new file under a name that no other process uses, made of `stem`.
std::pair<int, std::string> open_new(const std::string& stem, const std::string& path) {
  for (int attempt = 0;; ++attempt) {
    std::string name = fmt::format("{}.{}.{}{}", stem, ::getpid(), attempt, kTemporary);
    const int file = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) return {file, std::move(name)};
    if (errno != EEXIST || attempt == 1000) throw failure(path, "can't be written beside", errno);
  }
}

}  // namespace

StreamedFile::StreamedFile(int number, std::string path, std::string temporary)
    : number_(number), path_(std::move(path)), temporary_(std::move(temporary)) {}

StreamedFile::StreamedFile(StreamedFile&& other) noexcept
    : number_(std::exchange(other.number_, -1)),
      path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      size_(other.size_) {}

StreamedFile::~StreamedFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  if (number_ >= 0) ::close(number_);
}

StreamedFile StreamedFile::beside(const std::string& path) {
  struct stat status{};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    throw failure(path, "can't be written", S_ISDIR(status.st_mode) ? EISDIR : ESPIPE);
  }
  std::error_code error;
  const std::filesystem::path target = exists ? std::filesystem::canonical(path, error) : std::filesystem::path(path);
  const std::string name = error ? path : target.string();
  auto [file, temporary] = open_new(name, path);
  return {file, name, std::move(temporary)};
}

StreamedFile StreamedFile::nameless() {
  std::error_code error;
  std::filesystem::path directory = std::filesystem::temp_directory_path(error);
  if (error) directory = "/tmp";
  const std::string stem = (directory / "linsep-pages").string();
  const auto [file, name] = open_new(stem, stem);
  ::unlink(name.c_str());
  return {file, fmt::format("a temporary file in {}", directory.string()), ""};
}

void StreamedFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(number_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw failure(path_, "can't be written", errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
    size_ += static_cast<std::uint64_t>(written);
  }
}

void StreamedFile::write_at(std::uint64_t place, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(number_, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw failure(path_, "can't be written", errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
    place += static_cast<std::uint64_t>(written);
  }
}

std::string StreamedFile::read_at(std::uint64_t place, std::size_t bytes) const {
  std::string read(bytes, '\0');
  for (std::size_t at = 0; at < bytes;) {
    const ssize_t got = ::pread(number_, read.data() + at, bytes - at, static_cast<off_t>(place + at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw failure(path_, "can't be read", got < 0 ? errno : EIO);
    at += static_cast<std::size_t>(got);
  }
  return read;
}

void StreamedFile::commit() {
  if (temporary_.empty()) return;
  if (::fsync(number_) != 0) throw failure(path_, "can't be written", errno);
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) throw failure(path_, "can't be replaced", errno);
  temporary_.clear();
  sync_directory_of(path_);
}

int StreamedFile::duplicate() const {
  const int copy = ::fcntl(number_, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) throw failure(path_, "can't be opened again", errno);
  return copy;
}

void sync_directory_of(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  const int directory = ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  ::fsync(directory);
  ::close(directory);
}

}  // namespace linsep

#include "os/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "linsep/error.h"
#include "os/streamed_file.h"

namespace linsep {
namespace {

std::string reason(int number) { return std::generic_category().message(number); }

Error failure(const std::string& path, std::string_view what, int number) {
  return system_error(fmt::format("{}: {}: {}", path, what, reason(number)));
}

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  int number() const { return number_; }
  /// Closes now; false, with errno set, when the system says that data was lost.
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

void write_all(int file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw failure(path, "can't be written", errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void write_in_place(const std::string& path, std::string_view bytes) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.number() < 0) throw failure(path, "can't be opened for writing", errno);
  write_all(file.number(), bytes, path);
  if (!file.close()) throw failure(path, "can't be written", errno);
}

}  // namespace

void write_file_atomically(const std::string& path, std::string_view bytes) {
  struct stat status{};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw failure(path, "can't be written", EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    write_in_place(path, bytes);
    return;
  }
  StreamedFile file = StreamedFile::beside(path);
  file.append(bytes);
  file.commit();
}

void remove_leftovers(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path target = fs::exists(path, error) ? fs::canonical(path, error) : fs::path(path);
  const std::string prefix = target.filename().string() + ".";
  const std::string parent = target.parent_path().string();
  for (const fs::directory_entry& entry : fs::directory_iterator(parent.empty() ? "." : parent, error)) {
    std::string_view name = entry.path().native();
    name.remove_prefix(name.rfind('/') + 1);
    if (!name.starts_with(prefix) || !name.ends_with(kTemporary)) continue;
    name.remove_prefix(prefix.size());
    name.remove_suffix(kTemporary.size());
    // A process and an attempt, as StreamedFile names them.
    const auto dot = name.find('.');
    if (dot == 0 || dot + 1 >= name.size() || name.find('.', dot + 1) != name.npos) continue;
    if (name.find_first_not_of("0123456789.") != name.npos) continue;
    fs::remove(entry.path(), error);
  }
}

std::string read_whole_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) throw input_error(fmt::format("{}: can't be opened: {}", path, reason(errno)));
  struct stat status{};
  if (::fstat(file.number(), &status) == 0 && S_ISDIR(status.st_mode)) {
    throw input_error(fmt::format("{}: is a directory, not a file", path));
  }
  constexpr std::size_t kStep = 1 << 20;
  std::string bytes;
  std::size_t size = 0;
  for (;;) {
    const std::size_t room = S_ISREG(status.st_mode) && static_cast<std::size_t>(status.st_size) > size
                                 ? static_cast<std::size_t>(status.st_size) - size + 1
                                 : kStep;
    bytes.resize(size + room);
    const ssize_t got = ::read(file.number(), bytes.data() + size, room);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw failure(path, "can't be read", errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace linsep

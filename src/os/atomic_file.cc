#include "os/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "linsep/error.h"
#include "linsep/tools/file.h"
#include "os/target.h"

namespace linsep {
namespace {

std::string reason(int number) { return std::generic_category().message(number); }

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

 private:
  int number_;
};

}  // namespace

void write_file_atomically(const std::string& path, std::string_view bytes) {
  StreamedFile file = StreamedFile::to(path);
  file.append(bytes);
  file.commit();
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
    if (got < 0) throw file_failure(path, "can't be read", errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace linsep

#include "bytes/bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include "linsep/error.h"

namespace linsep {
namespace {

constexpr std::size_t kBlock = 65536;

std::string reason(int error) { return std::generic_category().message(error); }

/// An open file; standard input is borrowed, anything else closed at the end.
class Descriptor {
 public:
  Descriptor(int number, bool owned) : number_(number), owned_(owned) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (owned_) ::close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
  bool owned_;
};

std::shared_ptr<Descriptor> open_descriptor(const std::string& path) {
  if (is_standard_input(path)) return std::make_shared<Descriptor>(STDIN_FILENO, false);
  // A named pipe is waited for by its first read, which can be ended, and not by open.
  struct stat status{};
  const bool pipe = ::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | (pipe ? O_NONBLOCK : 0));
  if (number < 0) throw system_error(fmt::format("{}: can't be opened: {}", path, reason(errno)));
  return std::make_shared<Descriptor>(number, true);
}

void look_at(const std::atomic<bool>* interrupt) {
  if (interrupt != nullptr && interrupt->load(std::memory_order_relaxed)) throw interrupted_error();
}

/// Waits until there is something to read. False: `stop` was set meanwhile.
bool wait_for_bytes(int number, const std::atomic<bool>& stop, const std::atomic<bool>* interrupt) {
  constexpr int kLookUpEvery = 100;  // milliseconds between two looks at `stop`
  while (!stop.load(std::memory_order_relaxed)) {
    look_at(interrupt);
    pollfd wanted{number, POLLIN, 0};
    const int found = ::poll(&wanted, 1, kLookUpEvery);
    if (found > 0 || (found < 0 && errno != EINTR)) return true;  // an error shows itself in read()
  }
  return false;
}

/// The end is the end: a terminal would go on after Ctrl-D.
ReadBytes read_descriptor(std::shared_ptr<Descriptor> file, const ByteInput& input,
                          const std::atomic<bool>* interrupt) {
  return [file = std::move(file), name = input.name, regular = input.regular, stop = input.stop, interrupt,
          ended = false](std::span<char> to) mutable -> std::size_t {
    while (!ended) {
      if (regular) look_at(interrupt);
      if (!regular && !wait_for_bytes(file->number(), *stop, interrupt)) return 0;
      const ssize_t got = ::read(file->number(), to.data(), to.size());
      ended = got == 0 && !to.empty();
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR && errno != EAGAIN)
        throw system_error(fmt::format("{}: can't be read: {}", name, reason(errno)));
    }
    return 0;
  };
}

ByteInput open_raw(const std::string& path, const std::shared_ptr<Descriptor>& file,
                   const std::atomic<bool>* interrupt = nullptr) {
  ByteInput input;
  input.name = is_standard_input(path) ? "standard input" : path;
  input.stop = std::make_shared<std::atomic<bool>>(false);
  struct stat status{};
  if (::fstat(file->number(), &status) != 0) {
    throw system_error(fmt::format("{}: can't be read: {}", input.name, reason(errno)));
  }
  if (S_ISDIR(status.st_mode)) throw system_error(fmt::format("{}: is a directory, not a file", input.name));
  input.regular = S_ISREG(status.st_mode) && !is_standard_input(path);
  input.stamp = {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino),
                 static_cast<std::uint64_t>(status.st_size), static_cast<std::int64_t>(status.st_mtim.tv_sec),
                 static_cast<std::int64_t>(status.st_mtim.tv_nsec)};
  input.read = read_descriptor(file, input, interrupt);
  return input;
}

}  // namespace

bool can_be_opened_again(const std::string& path) {
  struct stat status{};
  return !is_standard_input(path) &&
         (::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
}

ByteInput open_raw_bytes(const std::string& path, const std::atomic<bool>* interrupt) {
  return open_raw(path, open_descriptor(path), interrupt);
}

ByteInput open_bytes(const std::string& path, const std::atomic<bool>* interrupt) {
  ByteInput input = open_raw_bytes(path, interrupt);
  if (!input.regular) input.read = read_held(path, std::move(input.read));
  input.read = decompressed(std::move(input.read), input.name, input.compressed);
  return input;
}

ByteInput open_bytes_at(const std::string& path, std::uint64_t first_byte) {
  const auto file = open_descriptor(path);
  ByteInput input = open_raw(path, file);
  if (::lseek(file->number(), static_cast<off_t>(first_byte), SEEK_SET) < 0) {
    throw system_error(fmt::format("{}: can't be read from its byte {}: {}", input.name, first_byte, reason(errno)));
  }
  return input;
}

ReadBytes joined(std::shared_ptr<const std::string> head, ReadBytes rest) {
  return [head = std::move(head), at = std::size_t{0}, rest = std::move(rest)](std::span<char> to) mutable {
    if (at == head->size()) return rest(to);
    const std::size_t size = std::min(to.size(), head->size() - at);
    std::memcpy(to.data(), head->data() + at, size);
    at += size;
    return size;
  };
}

std::uint64_t line_beginning(const std::string& path, std::uint64_t byte, std::uint64_t header_bytes) {
  if (byte <= header_bytes) return header_bytes;
  std::uint64_t at = byte - 1;  // a newline there ends the line before
  const ByteInput input = open_bytes_at(path, at);
  std::vector<char> block(kBlock);
  while (const std::size_t got = input.read(block)) {
    const std::size_t newline = std::string_view(block.data(), got).find('\n');
    if (newline != std::string_view::npos) return at + newline + 1;
    at += got;
  }
  return std::max(at, byte);
}

std::uint64_t lines_before(const std::string& path, std::uint64_t byte) {
  const ReadBytes read = limited(open_bytes_at(path, 0).read, byte);
  std::vector<char> block(kBlock);
  std::uint64_t lines = 0;
  while (const std::size_t got = read(block)) {
    lines += static_cast<std::uint64_t>(std::count(block.data(), block.data() + got, '\n'));
  }
  return lines;
}

ReadBytes limited(ReadBytes read, std::uint64_t bytes) {
  return [read = std::move(read), left = bytes](std::span<char> to) mutable -> std::size_t {
    if (left == 0) return 0;
    const std::size_t got = read(to.first(static_cast<std::size_t>(std::min<std::uint64_t>(to.size(), left))));
    left -= got;
    return got;
  };
}

}  // namespace linsep

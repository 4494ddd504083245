#include "bytes/bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "linsep/error.h"
#include "os/file.h"

namespace linsep {
namespace {

constexpr std::size_t kBlock = 65536;

std::shared_ptr<OpenFile> open_file(const std::string& path) {
  return std::make_shared<OpenFile>(is_standard_input(path) ? OpenFile::standard_input() : OpenFile::at(path));
}

void look_at(const std::atomic<bool>* interrupt) {
  if (interrupt != nullptr && interrupt->load(std::memory_order_relaxed)) throw interrupted_error();
}

/// Waits until there is something to read. Returns false if `stop` was set before that.
bool wait_for_bytes(const OpenFile& file, const std::atomic<bool>& stop, const std::atomic<bool>* interrupt) {
  constexpr int kLookUpEvery = 100;  // milliseconds between two looks at `stop`
  while (!stop.load(std::memory_order_relaxed)) {
    look_at(interrupt);
    if (file.wait(kLookUpEvery)) return true;
  }
  return false;
}

/// Once the end is reached, every later read returns 0. A terminal would go on after Ctrl-D.
ReadBytes read_file(std::shared_ptr<OpenFile> file, const ByteInput& input, const std::atomic<bool>* interrupt) {
  return [file = std::move(file), regular = input.regular, stop = input.stop, interrupt,
          ended = false](std::span<char> to) mutable -> std::size_t {
    while (!ended) {
      if (regular) look_at(interrupt);
      if (!regular && !wait_for_bytes(*file, *stop, interrupt)) return 0;
      const std::optional<std::size_t> got = file->read(to);
      ended = got == 0 && !to.empty();
      if (got) return *got;
    }
    return 0;
  };
}

ByteInput open_raw(const std::shared_ptr<OpenFile>& file, bool standard, const std::atomic<bool>* interrupt = nullptr) {
  ByteInput input;
  input.name = file->name();
  input.stop = std::make_shared<std::atomic<bool>>(false);
  const FileStatus status = file->status();
  if (status.kind == FileStatus::Kind::kDirectory) {
    throw system_error(fmt::format("{}: is a directory, not a file", input.name));
  }
  input.regular = status.regular() && !standard;
  input.stamp = {.device = status.device,
                 .inode = status.number,
                 .bytes = status.size,
                 .written_seconds = status.seconds,
                 .written_nanoseconds = status.nanoseconds,
                 .changed_seconds = status.changed_seconds,
                 .changed_nanoseconds = status.changed_nanoseconds};
  input.read = read_file(file, input, interrupt);
  return input;
}

}  // namespace

bool can_be_opened_again(const std::string& path) {
  if (is_standard_input(path)) return false;
  const auto status = file_status(path);
  return !status || status->regular() || status->kind == FileStatus::Kind::kDirectory;
}

ByteInput open_raw_bytes(const std::string& path, const std::atomic<bool>* interrupt) {
  return open_raw(open_file(path), is_standard_input(path), interrupt);
}

ByteInput open_bytes(const std::string& path, const std::atomic<bool>* interrupt) {
  ByteInput input = open_raw_bytes(path, interrupt);
  if (!input.regular) input.read = read_held(path, std::move(input.read));
  input.read = decompressed(std::move(input.read), input.name, input.compressed);
  return input;
}

ByteInput open_bytes_at(const std::string& path, std::uint64_t first_byte) {
  const auto file = open_file(path);
  ByteInput input = open_raw(file, is_standard_input(path));
  file->seek(first_byte);
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

// The parts that are the same on every system.
#include "os/file.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include "linsep/error.h"
#include "linsep/tools/file.h"
#include "os/process.h"

namespace linsep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRandomDigits = 12;

/// The process in NAME.PROCESS.RANDOM.tmp, or 0 if a file has no such name.
std::int32_t process_of(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix) || !name.ends_with(kTemporary)) return 0;
  name.remove_prefix(prefix.size());
  name.remove_suffix(kTemporary.size());
  const std::size_t dot = name.find('.');
  if (dot == name.npos || name.size() != dot + 1 + kRandomDigits) return 0;
  if (name.substr(dot + 1).find_first_not_of("0123456789abcdef") != name.npos) return 0;
  std::int32_t process = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + dot, process);
  return error == std::errc() && end == name.data() + dot && process > 0 ? process : 0;
}

}  // namespace

Error file_failure(const std::string& path, std::string_view what, int number) {
  return system_error(fmt::format("{}: {}: {}", path, what, std::generic_category().message(number)));
}

std::string temporary_name(const std::string& name) {
  std::array<unsigned char, kRandomDigits / 2> random{};
  fill_randomly(random.data(), random.size());
  return fmt::format("{}.{}.{:02x}{}", name, process_id(), fmt::join(random, ""), kTemporary);
}

void remove_leftovers(const std::string& path) {
  std::error_code error;
  const std::string target = find_target(path).name;
  const std::string prefix = fs::path(target).filename().string() + ".";
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_of(target), error)) {
    const std::string name = entry.path().filename().string();
    const std::int32_t process = process_of(name, prefix);
    if (process > 0 && is_abandoned(entry.path().string(), process)) fs::remove(entry.path(), error);
  }
}

StreamedFile::StreamedFile(StreamedFile&& other) noexcept
    : number_(std::exchange(other.number_, -1)),
      path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      pending_(std::exchange(other.pending_, false)),
      sync_(other.sync_),
      broken_pipe_(other.broken_pipe_),
      size_(other.size_) {}

bool is_own(const FileStatus& status) {
  return (status.user == process_user() || status.user == 0) && !status.others_may_write;
}

bool is_same_file(const std::string& path, const std::string& other) {
  const std::optional<FileStatus> one = file_status(path);
  if (!one || !one->regular()) return false;
  const std::optional<FileStatus> two = file_status(other);
  return two && two->regular() && one->device == two->device && one->number == two->number;
}

void write_file_atomically(const std::string& path, std::string_view bytes) {
  StreamedFile file = StreamedFile::to(path);
  file.append(bytes);
  file.commit();
}

OpenFile::OpenFile(int number, bool owned, std::string name) : number_(number), owned_(owned), name_(std::move(name)) {}

OpenFile::OpenFile(OpenFile&& other) noexcept
    : number_(other.number_), owned_(std::exchange(other.owned_, false)), name_(std::move(other.name_)) {}

std::string read_whole_file(const std::string& path) {
  const int error = reading_error(path);
  if (error != 0)
    throw input_error(fmt::format("{}: can't be opened: {}", path, std::generic_category().message(error)));
  return read_whole_file(OpenFile::at(path));
}

std::string read_whole_file(OpenFile file) {
  const FileStatus status = file.status();
  if (status.kind == FileStatus::Kind::kDirectory) {
    throw input_error(fmt::format("{}: is a directory, not a file", file.name()));
  }
  constexpr std::size_t kStep = 1 << 20;
  constexpr int kWait = 1000;
  std::string bytes;
  std::size_t size = 0;
  for (;;) {
    const std::size_t room = status.regular() && status.size > size ? status.size - size + 1 : kStep;
    bytes.resize(size + room);
    if (!status.regular() && !file.wait(kWait)) continue;
    const auto got = file.read({bytes.data() + size, room});
    if (got == 0) break;
    size += got.value_or(0);
  }
  bytes.resize(size);
  return bytes;
}

FileLock::FileLock(int number, std::string path) : number_(number), path_(std::move(path)) {}

FileLock::FileLock(FileLock&& other) noexcept
    : number_(std::exchange(other.number_, -1)), path_(std::move(other.path_)) {}

}  // namespace linsep

// Keeps inputs that give their bytes only once (standard input, pipes), so that they can be read again.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "bytes/bytes.h"
#include "linsep/tools/file.h"

namespace linsep {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;
constexpr std::uint64_t kMostInMemory = std::uint64_t{64} << 20;

class HeldBytes {
 public:
  explicit HeldBytes(std::uint64_t most) : most_(most) {}

  void append(std::string_view bytes) {
    if (!file_ && memory_.size() + bytes.size() > most_) {
      file_.emplace(StreamedFile::nameless());
      file_->append(memory_);
      memory_ = {};
    }
    if (file_) {
      file_->append(bytes);
    } else {
      memory_.append(bytes);
    }
  }

  std::size_t read(std::uint64_t at, std::span<char> to) const {
    const std::uint64_t size = file_ ? file_->size() : memory_.size();
    const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(to.size(), size - std::min(at, size)));
    if (bytes == 0) return 0;
    if (file_) {
      file_->read_at(at, to.first(bytes));
    } else {
      std::memcpy(to.data(), memory_.data() + at, bytes);
    }
    return bytes;
  }

 private:
  std::uint64_t most_;
  std::string memory_;
  std::optional<StreamedFile> file_;
};

struct Entry {
  std::shared_ptr<const HeldBytes> bytes;
  bool last = false;                       ///< the next read is the last
  std::shared_ptr<std::string> beginning;  ///< instead of `bytes`: what the first read took
};

/// Appends to `beginning` whatever is read.
ReadBytes noting(std::shared_ptr<std::string> beginning, ReadBytes raw) {
  return [beginning = std::move(beginning), raw = std::move(raw)](std::span<char> to) {
    const std::size_t got = raw(to);
    beginning->append(to.data(), got);
    return got;
  };
}

std::mutex mutex;

std::map<std::string, Entry>& entries() {
  static std::map<std::string, Entry> all;
  return all;
}

}  // namespace

void hold_input(const std::string& path, const ReadOptions& options) {
  if (can_be_opened_again(path)) return;
  {
    const std::scoped_lock lock(mutex);
    entries().erase(path);
  }
  const ByteInput input = open_raw_bytes(path, options.interrupt);
  const std::uint64_t most = options.memory == 0 ? kMostInMemory : std::min(kMostInMemory, options.memory / 8);
  auto held = std::make_shared<HeldBytes>(most);
  std::vector<char> block(kBlock);
  while (const std::size_t got = input.read(block)) held->append({block.data(), got});
  const std::scoped_lock lock(mutex);
  entries()[path] = {std::move(held), false, nullptr};
}

void release_input(const std::string& path) {
  const std::scoped_lock lock(mutex);
  if (const auto found = entries().find(path); found != entries().end()) found->second.last = true;
}

void hold_beginning(const std::string& path) {
  if (can_be_opened_again(path)) return;
  const std::scoped_lock lock(mutex);
  entries()[path] = {nullptr, false, std::make_shared<std::string>()};
}

ReadBytes read_held(const std::string& path, ReadBytes raw) {
  const std::scoped_lock lock(mutex);
  const auto found = entries().find(path);
  if (found == entries().end()) return raw;
  const Entry entry = found->second;
  if (entry.last) entries().erase(found);
  if (entry.beginning) {
    if (entry.last) return joined(entry.beginning, std::move(raw));
    found->second.last = true;
    return noting(entry.beginning, std::move(raw));
  }
  return [bytes = entry.bytes, at = std::uint64_t{0}](std::span<char> to) mutable {
    const std::size_t got = bytes->read(at, to);
    at += got;
    return got;
  };
}

}  // namespace linsep

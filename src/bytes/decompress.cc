// Turns compressed bytes into plain ones, with zlib for gzip and libzstd for zstd.
#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "bytes/bytes.h"
#include "linsep/error.h"

namespace linsep {
namespace {

enum class Compression { kNone, kGzip, kZstd };

/// This many leading bytes identify the compression.
constexpr std::size_t kMagicBytes = 4;
constexpr std::size_t kInputBytes = std::size_t{1} << 17;

/// The compressed side: a buffer that is refilled once it is empty, and the count of bytes for messages.
struct CompressedInput {
  ReadBytes read;
  std::string name;
  std::unique_ptr<char[]> buffer = std::make_unique_for_overwrite<char[]>(kInputBytes);  // most files are shorter
  std::size_t at = 0, end = 0;
  std::uint64_t before = 0;  ///< bytes of earlier buffers

  bool fill() {
    if (at < end) return true;
    before += end;
    at = 0;
    end = read({buffer.get(), kInputBytes});
    return end > 0;
  }
  std::uint64_t used() const { return before + at; }
  [[noreturn]] void damaged(const char* kind, const std::string& why) const {
    throw Error(Place{name, 0, 0}, fmt::format("the {} data is damaged near its byte {}: {}", kind, used(), why));
  }
  [[noreturn]] void cut_off(const char* kind) const {
    throw Error(Place{name, 0, 0}, fmt::format("the {} data ends too early, after {} bytes", kind, used()));
  }
};

class Gzip {
 public:
  Gzip(ReadBytes read, std::string name) : in_{.read = std::move(read), .name = std::move(name)} {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw system_error("zlib failed to start");
  }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;
  ~Gzip() { inflateEnd(&stream_); }

  std::size_t read(std::span<char> to) {
    if (!failure_.empty()) in_.damaged("gzip", failure_);
    std::size_t size = 0;
    while (size < to.size() && failure_.empty()) {
      if (!in_.fill()) {
        if (in_member_ && size == 0) in_.cut_off("gzip");
        break;
      }
      if (!in_member_ && !begin_member()) continue;
      const auto space = static_cast<uInt>(std::min<std::size_t>(to.size() - size, 1U << 30));
      stream_.next_in = reinterpret_cast<Bytef*>(in_.buffer.get() + in_.at);
      stream_.avail_in = static_cast<uInt>(in_.end - in_.at);
      stream_.next_out = reinterpret_cast<Bytef*>(to.data() + size);
      stream_.avail_out = space;
      const int code = inflate(&stream_, Z_NO_FLUSH);
      size += space - stream_.avail_out;
      in_.at = in_.end - stream_.avail_in;
      if (code == Z_STREAM_END) {
        in_member_ = false;
      } else if (code != Z_OK && code != Z_BUF_ERROR) {
        failure_ = stream_.msg != nullptr ? stream_.msg : "not gzip";
      }
    }
    if (size == 0 && !failure_.empty()) in_.damaged("gzip", failure_);
    return size;  // what came out before the damage is returned first
  }

 private:
  /// Between members, zeros are padding up to the end, and a gzip header begins another member.
  bool begin_member() {
    if (in_.buffer[in_.at] == '\0') {
      padding_ = true;
      while (in_.at < in_.end && in_.buffer[in_.at] == '\0') ++in_.at;
      return false;
    }
    if (padding_) {
      failure_ = "other bytes follow its zero padding";
      return false;
    }
    inflateReset(&stream_);
    in_member_ = true;
    return true;
  }

  CompressedInput in_;
  z_stream stream_{};
  bool in_member_ = false;
  bool padding_ = false;
  std::string failure_;
};

class Zstd {
 public:
  Zstd(ReadBytes read, std::string name)
      : in_{.read = std::move(read), .name = std::move(name)}, stream_(ZSTD_createDStream(), ZSTD_freeDStream) {
    if (!stream_) throw system_error("libzstd failed to start");
  }

  std::size_t read(std::span<char> to) {
    if (!failure_.empty()) in_.damaged("zstd", failure_);
    ZSTD_outBuffer out{to.data(), to.size(), 0};
    while (out.pos < out.size) {
      // libzstd may hold back plain bytes of input that it has already taken, so ask it once more before reading on.
      if (!more_inside_ && !in_.fill()) {
        if (in_frame_ && out.pos == 0) in_.cut_off("zstd");
        break;
      }
      ZSTD_inBuffer in{in_.buffer.get(), in_.end, in_.at};
      const std::size_t code = ZSTD_decompressStream(stream_.get(), &out, &in);
      in_.at = in.pos;
      if (ZSTD_isError(code) != 0) {
        failure_ = ZSTD_getErrorName(code);
        if (out.pos == 0) in_.damaged("zstd", failure_);
        break;  // what came out before the damage is returned first
      }
      in_frame_ = code != 0;
      more_inside_ = in_frame_ && out.pos == out.size;
    }
    return out.pos;
  }

 private:
  CompressedInput in_;
  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream_;
  bool in_frame_ = false;
  bool more_inside_ = false;
  std::string failure_;
};

Compression compression_of(std::string_view first_bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(first_bytes[i]); };
  if (first_bytes.size() >= 2 && byte(0) == 0x1f && byte(1) == 0x8b) return Compression::kGzip;
  if (first_bytes.size() < 4) return Compression::kNone;
  if (byte(0) == 0x28 && byte(1) == 0xb5 && byte(2) == 0x2f && byte(3) == 0xfd) return Compression::kZstd;
  const bool skippable = (byte(0) & 0xf0) == 0x50 && byte(1) == 0x2a && byte(2) == 0x4d && byte(3) == 0x18;
  return skippable ? Compression::kZstd : Compression::kNone;
}

}  // namespace

ReadBytes decompressed(ReadBytes read, const std::string& name, bool& compressed) {
  const auto head = std::make_shared<std::string>(kMagicBytes, '\0');
  std::size_t size = 0;
  while (size < head->size()) {
    const std::size_t got = read(std::span(*head).subspan(size));
    if (got == 0) break;
    size += got;
  }
  head->resize(size);
  const Compression compression = compression_of(*head);
  compressed = compression != Compression::kNone;
  ReadBytes raw = joined(head, std::move(read));
  if (compression == Compression::kGzip) {
    return [gzip = std::make_shared<Gzip>(std::move(raw), name)](std::span<char> to) { return gzip->read(to); };
  }
  if (compression == Compression::kZstd) {
    return [zstd = std::make_shared<Zstd>(std::move(raw), name)](std::span<char> to) { return zstd->read(to); };
  }
  return raw;
}

}  // namespace linsep

// Texts as gzip and zstd files: packed as programs do it, or only framed, which is quick.
#pragma once

#include <zlib.h>
#include <zstd.h>

#include <string>
#include <string_view>

namespace linsep::fuzz {

inline void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
}

/// One stored block. REQUIRES: less than 64 kB.
inline std::string gzip_stored(std::string_view text) {
  std::string out("\x1f\x8b\x08\0\0\0\0\0\0\x03\x01", 11);
  put(out, text.size(), 2);
  put(out, ~text.size(), 2);
  out += text;
  put(out, crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())), 4);
  put(out, text.size(), 4);
  return out;
}

/// One raw block, without a checksum.
inline std::string zstd_stored(std::string_view text) {
  std::string out("\x28\xb5\x2f\xfd\x00\x18", 6);  // no size, a window of 8 kB
  put(out, 1 + 8 * text.size(), 3);
  return out.append(text);
}

inline std::string gzip_packed(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string in = text, out(deflateBound(&stream, text.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string zstd_packed(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

}  // namespace linsep::fuzz

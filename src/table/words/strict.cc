// Words byte by byte. Every other version must agree with this one, and calls it for what it doesn't do itself.
#include <cstring>

#include "core/utf8.h"
#include "table/words/keys.h"
#include "table/words/words.h"

namespace linsep::words {
namespace {

#include "table/words/unicode_table.inc"

enum Class : std::uint8_t { kSeparator = 0, kPart = 1, kOwn = 2 };

char* encode(std::uint32_t code, char* out) {
  const auto put = [&](std::uint32_t byte) { *out++ = static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
    return out;
  }
  if (code < 0x800) {
    put(0xc0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xe0 | code >> 12);
    } else {
      put(0xf0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3f));
    }
    put(0x80 | (code >> 6 & 0x3f));
  }
  put(0x80 | (code & 0x3f));
  return out;
}

/// Spreads one code point, or one byte that is part of none.
char* spread_one(const char*& at, const char* end, char* out) {
  const CodePoint point = first_code_point(at, end);
  const char* const here = at;
  at += point.size == 0 ? 1 : point.size;
  const std::size_t block = kBlock[point.code >> kShift];
  const std::size_t record = kRecord[(block << kShift) + (point.code & ((1U << kShift) - 1))];
  if (point.size == 0 || kClass[record] == kSeparator) {
    *out++ = ' ';
    return out;
  }
  if (kClass[record] == kPart) {
    if (kLower[record] != 0) return encode(point.code + static_cast<std::uint32_t>(kLower[record]), out);
    std::memcpy(out, here, point.size);
    return out + point.size;
  }
  *out++ = ' ';
  std::memcpy(out, here, point.size);
  out += point.size;
  *out++ = ' ';
  return out;
}

std::size_t spread(std::string_view text, char* out) {
  char* const begin = out;
  *out++ = ' ';
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) out = spread_one(at, end, out);
  *out++ = ' ';
  return static_cast<std::size_t>(out - begin);
}

std::size_t mark(const char* spread, std::size_t size, std::uint32_t* marks) {
  std::size_t count = 0;
  bool inside = false;
  for (std::size_t i = 0; i < size; ++i) {
    if ((spread[i] != ' ') == inside) continue;
    inside = !inside;
    marks[count++] = static_cast<std::uint32_t>(i);
  }
  return count;
}

}  // namespace

char* spread_others(const char*& at, const char* end, char* out) {
  while (at < end && static_cast<signed char>(*at) < 0) out = spread_one(at, end, out);
  return out;
}

const Version kStrict = {"strict", [] { return true; }, spread, mark, keys_of_windows};

}  // namespace linsep::words

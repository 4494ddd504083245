// Reads the first code point of some bytes of UTF-8, and makes text valid.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace linsep {

/// A code point at the beginning of some bytes. `size` is 0 if they don't begin with valid UTF-8.
struct CodePoint {
  std::uint32_t code = 0;
  std::uint32_t size = 0;
};

/// REQUIRES: at < end.
inline CodePoint first_code_point(const char* at, const char* end) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(at[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::uint32_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || static_cast<std::size_t>(end - at) < size) return {};
  std::uint32_t code = lead & (0xffU >> (size + 1));
  for (std::uint32_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  constexpr std::uint32_t kLeast[] = {0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < kLeast[size - 2] || code > 0x10ffff || surrogate) return {};
  return {code, size};
}

/// REQUIRES: !text.empty().
inline CodePoint first_code_point(std::string_view text) {
  return first_code_point(text.data(), text.data() + text.size());
}

/// Appends `text`, with each byte that isn't UTF-8 as U+FFFD.
inline void append_valid_utf8(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const auto other = std::ranges::find_if(text, [](char c) { return (c & 0x80) != 0; });
    std::size_t valid = static_cast<std::size_t>(other - text.begin());  // ASCII
    if (valid == 0) valid = first_code_point(text).size;
    out.append(text.substr(0, valid));
    if (valid == 0) out.append("\xef\xbf\xbd");
    text.remove_prefix(std::max<std::size_t>(valid, 1));
  }
}

inline std::string valid_utf8(std::string_view text) {
  std::string out;
  append_valid_utf8(out, text);
  return out;
}

}  // namespace linsep

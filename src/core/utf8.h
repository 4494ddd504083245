// The first code point of some bytes of UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace linsep {

/// A code point at the beginning of some bytes; `size` is 0 where they don't begin with valid UTF-8.
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

}  // namespace linsep

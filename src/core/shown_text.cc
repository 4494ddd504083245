#include "linsep/tools/shown_text.h"

#include <fmt/format.h>

#include <cstdint>

namespace linsep {
namespace {

/// A character at the beginning of a text, or a byte that begins none: then `size` is 0.
struct Character {
  std::uint32_t code = 0;
  std::size_t size = 0;
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < size) return {};
  std::uint32_t code = lead & (0xffU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  constexpr std::uint32_t kLeast[] = {0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < kLeast[size - 2] || code > 0x10ffff || surrogate) return {};
  return {code, size};
}

/// Control characters, and what Unicode says of direction, line ends and joining without showing anything.
bool is_hidden(std::uint32_t c) {
  if (c < 0x20 || (c >= 0x7f && c < 0xa0)) return true;
  if (c == 0xad || c == 0x61c || c == 0x180e || c == 0xfeff) return true;
  if ((c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f)) return true;
  return (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe007f);
}

std::string escaped(std::string_view text, bool keep_newlines) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character c = first_character(text);
    if (c.size == 0) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(text[0]));
      text.remove_prefix(1);
      continue;
    }
    if (!is_hidden(c.code) || (keep_newlines && c.code == '\n')) {
      out += text.substr(0, c.size);
    } else if (c.code == '\n') {
      out += "\\n";
    } else if (c.code < 0x80) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", c.code);
    } else {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", c.code);
    }
    text.remove_prefix(c.size);
  }
  return out;
}

}  // namespace

std::string shown_text(std::string_view text) { return escaped(text, false); }
std::string shown_lines(std::string_view text) { return escaped(text, true); }

}  // namespace linsep

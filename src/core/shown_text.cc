#include "linsep/tools/shown_text.h"

#include <fmt/format.h>

#include <cstdint>

#include "core/utf8.h"

namespace linsep {
namespace {

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
    const CodePoint c = first_code_point(text);
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

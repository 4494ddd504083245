#include "format/arrow_out/utf8.h"

#include <algorithm>

#include "core/utf8.h"

namespace linsep::arrow {

void append_valid_utf8(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const auto other = std::ranges::find_if(text, [](char c) { return (c & 0x80) != 0; });
    std::size_t valid = static_cast<std::size_t>(other - text.begin());  // ASCII
    if (valid == 0) valid = first_code_point(text).size;
    out.append(text.substr(0, valid));
    if (valid == 0) out.append("\xef\xbf\xbd");
    text.remove_prefix(std::max<std::size_t>(valid, 1));
  }
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  append_valid_utf8(out, text);
  return out;
}

}  // namespace linsep::arrow

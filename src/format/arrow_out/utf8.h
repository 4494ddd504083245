// Text of which every byte belongs to a character, as Arrow wants it.
#pragma once

#include <string>
#include <string_view>

namespace linsep::arrow {

/// Appends `text`; bytes that aren't UTF-8 become U+FFFD, each of them.
void append_valid_utf8(std::string& out, std::string_view text);
std::string valid_utf8(std::string_view text);

}  // namespace linsep::arrow

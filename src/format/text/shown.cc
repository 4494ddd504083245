#include "format/text/shown.h"

#include <fmt/format.h>

#include <cctype>

namespace linsep {

std::string shown(const char* begin, const char* end) {
  constexpr int kLongest = 24;
  if (begin == end) return "the end of the line";
  if (*begin == ' ' || *begin == '\t') return "a blank";
  std::string text;
  for (const char* p = begin; p < end && *p != ' ' && *p != '\t'; ++p) {
    if (p - begin == kLongest) {
      text += "…";
      break;
    }
    const auto byte = static_cast<unsigned char>(*p);
    if (byte > 0x20 && byte < 0x7f) {
      text += *p;
    } else {
      text += fmt::format("\\x{:02x}", byte);
    }
  }
  return fmt::format("'{}'", text);
}

bool looks_infinite(const char* begin, const char* end) {
  if (begin < end && (*begin == '+' || *begin == '-')) ++begin;
  if (end - begin < 3) return false;
  std::string word(begin, 3);
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word == "nan" || word == "inf";
}

std::string tiny_message(const std::string& number) {
  return fmt::format(
      "{} is too small for a double: a proof needs numbers of at least 2.3e-308 in size, or 0; multiply the column by "
      "a "
      "power of ten",
      number);
}

}  // namespace linsep

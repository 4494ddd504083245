// JSON texts changed as JSON: most changes of single bytes are refused by the parser, and nothing behind it is reached.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.h"

namespace linsep::fuzz {

/// A member or an element: where it is, and where its value begins.
struct JsonPart {
  std::size_t begin = 0, value = 0, end = 0;
  bool named() const { return value > begin; }
};

/// The end of the string that begins at `place`.
inline std::size_t end_of_string(std::string_view text, std::size_t place) {
  for (++place; place < text.size() && text[place] != '"'; ++place) place += text[place] == '\\' ? 1 : 0;
  return std::min(place + 1, text.size());
}

/// The parts of all objects and arrays, inner ones before those that hold them. What isn't JSON has parts too, or none.
inline std::vector<JsonPart> parts_of(std::string_view text) {
  std::vector<JsonPart> parts, open;
  const auto close = [&](std::size_t end) {
    if (!open.empty() && open.back().begin < end) parts.push_back({open.back().begin, open.back().value, end});
  };
  for (std::size_t i = std::min(text.find('{'), text.size()); i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      i = end_of_string(text, i) - 1;
    } else if (c == '{' || c == '[') {
      open.push_back({i + 1, i + 1, 0});
    } else if (c == ':' && !open.empty()) {
      open.back().value = i + 1;
    } else if (c == ',' || c == '}' || c == ']') {
      close(i);
      if (c != ',' && !open.empty()) open.pop_back();
      if (c == ',' && !open.empty()) open.back() = {i + 1, i + 1, 0};
    }
  }
  return parts;
}

/// One part is left out, put in once more, or has another value: one of the text's own, a word, or other digits.
inline std::string change_json(std::string text, Random& random) {
  constexpr std::array<std::string_view, 14> kWords{"0",       "1",        "-1",    "2",  "\"0\"", "\"1\"", "\"-1\"",
                                                    "\"1/3\"", "\"-2/5\"", "1e300", "[]", "{}",    "true",  "\"a\""};
  const std::vector<JsonPart> parts = parts_of(text);
  if (parts.empty()) return text;
  const JsonPart at = parts[random.below(parts.size())], other = parts[random.below(parts.size())];
  const auto set_value = [&](std::string_view value) { text.replace(at.value, at.end - at.value, std::string(value)); };
  switch (random.below(5)) {
    case 0: {
      const bool first = text[at.begin - 1] != ',', last = text[at.end] != ',';
      text.erase(first ? at.begin : at.begin - 1, at.end - at.begin + (first && last ? 0 : 1));
      break;
    }
    case 1:
      if (at.named() == other.named()) text.insert(at.end, "," + text.substr(other.begin, other.end - other.begin));
      break;
    case 2:
      set_value(text.substr(other.value, other.end - other.value));
      break;
    case 3:
      set_value(kWords[random.below(kWords.size())]);
      break;
    default:
      for (std::size_t i = at.value; i < at.end; ++i) {
        if (text[i] >= '0' && text[i] <= '9' && random.below(3) == 0)
          text[i] = static_cast<char>('0' + random.below(10));
      }
  }
  return text;
}

}  // namespace linsep::fuzz

// JSON written by hand rather than by the JSON library for two reasons: numbers in their shortest form that reads back
// to the same bits (std::to_chars), and lists of millions of numbers or words without a tree of them in memory.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

namespace linsep {

inline void append_json_number(std::string& out, double number) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  const std::string_view text(digits.data(), static_cast<std::size_t>(end - digits.data()));
  out += text == "-0" ? "-0.0" : text;  // readers take -0 for the integer 0
}

template <std::integral Integer>
void append_json_number(std::string& out, Integer number) {
  std::array<char, 24> digits{};
  out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

inline void append_json_flag(std::string& out, bool flag) { out += flag ? "true" : "false"; }

/// A string, or where it isn't UTF-8 {"bytes": "…"} with every byte as the character of that number.
inline void append_json_word(std::string& out, std::string_view word) {
  bool plain = true;
  for (const char c : word) plain = plain && c >= ' ' && c <= '~' && c != '"' && c != '\\';
  if (plain) {
    out += '"';
    out += word;
    out += '"';
    return;
  }
  try {
    out += nlohmann::json(word).dump();
  } catch (const nlohmann::json::type_error&) {
    std::string wide;
    for (const char c : word) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x80) {
        wide += c;
      } else {
        wide += static_cast<char>(0xc0 | (byte >> 6));
        wide += static_cast<char>(0x80 | (byte & 0x3f));
      }
    }
    out += "{\"bytes\": " + nlohmann::json(wide).dump() + "}";
  }
}

/// A list whose items `append(item)` writes.
template <class Items, class Append>
void append_json_list(std::string& out, const Items& items, const Append& append) {
  out += '[';
  bool first = true;
  for (const auto& item : items) {
    if (!first) out += ", ";
    first = false;
    append(item);
  }
  out += ']';
}

template <class Number>
void append_json_numbers(std::string& out, std::span<const Number> numbers) {
  append_json_list(out, numbers, [&](Number number) { append_json_number(out, number); });
}

inline void append_json_words(std::string& out, std::span<const std::string> words) {
  append_json_list(out, words, [&](const std::string& word) { append_json_word(out, word); });
}

/// Writes `"key": value` pairs with commas where they belong: each on a line of its own where `separator` begins with a
/// newline, else behind one another.
class JsonFields {
 public:
  JsonFields(std::string& out, std::string_view separator) : out_(out), separator_(separator) {}

  std::string& operator[](std::string_view key) {
    if (!first_) out_ += ",";
    if (!first_ || separator_.starts_with('\n')) out_ += separator_;
    first_ = false;
    append_json_word(out_, key);
    out_ += ": ";
    return out_;
  }

 private:
  std::string& out_;
  std::string_view separator_;
  bool first_ = true;
};

}  // namespace linsep

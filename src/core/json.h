// JSON, written and read.
#pragma once

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "linsep/error.h"

namespace linsep {

// Written by hand rather than by the JSON library for two reasons: numbers in their shortest form that reads back
// to the same bits (std::to_chars), and lists of millions of numbers or words without a tree of them in memory.

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

// JSON from outside, read field by field: every one must be there, be what it should be, and be known.

/// A problem inside the JSON; who reads the file adds its name.
struct BadJson {
  std::string message;
};

inline BadJson wrong_json(const std::string& path, std::string_view expected) {
  return BadJson{fmt::format("the field \"{}\" should be {}", path, expected)};
}

/// One JSON object. Every field must be asked for: finish() refuses the rest.
class JsonObject {
 public:
  JsonObject(const nlohmann::json& object, std::string path) : object_(object), path_(std::move(path)) {
    if (!object_.is_object()) throw BadJson{path_.empty() ? "should be a JSON object" : path_ + " should be an object"};
  }

  bool has(const std::string& key) const { return object_.contains(key); }
  std::string path(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

  const nlohmann::json& field(const std::string& key) {
    asked_.insert(key);
    const auto found = object_.find(key);
    if (found == object_.end()) throw BadJson{fmt::format("the field \"{}\" is missing", path(key))};
    return *found;
  }

  void finish() const {
    for (const auto& [key, value] : object_.items()) {
      if (!asked_.contains(key)) throw BadJson{fmt::format("the field \"{}\" is not one of this format", path(key))};
    }
  }

 private:
  const nlohmann::json& object_;
  std::string path_;
  std::set<std::string> asked_;
};

inline double json_number(const nlohmann::json& value, const std::string& path) {
  if (!value.is_number()) throw wrong_json(path, "a number");
  return value.get<double>();
}

template <class Integer>
Integer json_integer(const nlohmann::json& value, const std::string& path) {
  constexpr auto kMost = std::numeric_limits<Integer>::max();
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > static_cast<std::uint64_t>(kMost)) {
    throw wrong_json(path, fmt::format("an integer from 0 to {}", kMost));
  }
  return static_cast<Integer>(value.get<std::uint64_t>());
}

/// A string as `append_json_word` writes it.
inline std::string json_word(const nlohmann::json& value, const std::string& path) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_object() || value.size() != 1 || !value.contains("bytes") || !value["bytes"].is_string()) {
    throw wrong_json(path, "a string");
  }
  const auto& wide = value["bytes"].get_ref<const std::string&>();
  std::string bytes;
  for (std::size_t i = 0; i < wide.size(); ++i) {
    const auto lead = static_cast<unsigned char>(wide[i]);
    if (lead < 0x80) {
      bytes += wide[i];
    } else if ((lead == 0xc2 || lead == 0xc3) && i + 1 < wide.size()) {
      bytes += static_cast<char>(((lead & 3) << 6) | (static_cast<unsigned char>(wide[++i]) & 0x3f));
    } else {
      throw wrong_json(path + ".bytes", "a string of characters up to number 255");
    }
  }
  return bytes;
}

inline std::vector<std::string> json_words(const nlohmann::json& value, const std::string& path) {
  if (!value.is_array()) throw wrong_json(path, "a list of strings");
  std::vector<std::string> result;
  result.reserve(value.size());
  for (const nlohmann::json& item : value) result.push_back(json_word(item, path));
  return result;
}

template <class Number>
std::vector<Number> json_numbers(const nlohmann::json& value, const std::string& path) {
  if (!value.is_array()) throw wrong_json(path, "a list of numbers");
  std::vector<Number> result;
  result.reserve(value.size());
  for (const nlohmann::json& item : value) {
    if constexpr (std::is_same_v<Number, double>) {
      result.push_back(json_number(item, path));
    } else {
      result.push_back(json_integer<Number>(item, path));
    }
  }
  return result;
}

inline bool json_flag(JsonObject& object, const std::string& key) {
  const nlohmann::json& value = object.field(key);
  if (!value.is_boolean()) throw wrong_json(object.path(key), "true or false");
  return value.get<bool>();
}

inline double json_number(JsonObject& object, const std::string& key) {
  return json_number(object.field(key), object.path(key));
}
template <class Integer>
Integer json_integer(JsonObject& object, const std::string& key) {
  return json_integer<Integer>(object.field(key), object.path(key));
}
inline std::string json_word(JsonObject& object, const std::string& key) {
  return json_word(object.field(key), object.path(key));
}
inline std::vector<std::string> json_words(JsonObject& object, const std::string& key) {
  return json_words(object.field(key), object.path(key));
}
template <class Number>
std::vector<Number> json_numbers(JsonObject& object, const std::string& key) {
  return json_numbers<Number>(object.field(key), object.path(key));
}

/// One of a table of pairs (value, name).
template <class Table>
auto json_choice(const nlohmann::json& field, const std::string& path, const Table& table) {
  const std::string given = json_word(field, path);
  std::string known;
  for (const auto& [value, name] : table) {
    if (name == given) return value;
    known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", name);
  }
  throw wrong_json(path, "one of " + known);
}
template <class Table>
auto json_choice(JsonObject& object, const std::string& key, const Table& table) {
  return json_choice(object.field(key), object.path(key), table);
}

/// The name of a value in such a table.
template <class Table, class Value>
constexpr std::string_view name_in(const Table& table, Value value) {
  for (const auto& [known, name] : table) {
    if (known == value) return name;
  }
  return "";
}

/// Parses `text` and returns what `read(json)` makes of it. Throws an input Error: what begins as no JSON does as "not
/// WHAT", what isn't JSON further on with its line, a BadJson as "not WHAT: message".
template <class Read>
auto read_json_text(std::string_view text, const std::string& name, std::string_view what, const Read& read) {
  // The library's message without its bracketed code and position, which our own place says better.
  const auto plain = [](std::string_view message) {
    for (const std::string_view before : {"] ", ": "}) {
      const std::size_t at = message.find(before);
      if (at != std::string_view::npos) message.remove_prefix(at + before.size());
    }
    return "not valid JSON: " + std::string(message);
  };
  try {
    return read(nlohmann::json::parse(text));
  } catch (const nlohmann::json::parse_error& error) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && text[first] != '{' && text[first] != '[') {
      throw Error(Place{name}, fmt::format("not {}: should be a JSON object", what));
    }
    const std::string_view before = text.substr(0, error.byte == 0 ? 0 : error.byte - 1);
    const auto line = static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    const std::size_t newline = before.rfind('\n');
    const std::size_t column = newline == std::string_view::npos ? before.size() + 1 : before.size() - newline;
    throw Error(Place{name, line, column}, plain(error.what()));
  } catch (const nlohmann::json::exception& error) {
    throw Error(Place{name}, plain(error.what()));
  } catch (const BadJson& bad) {
    throw Error(Place{name}, fmt::format("not {}: {}", what, bad.message));
  }
}

}  // namespace linsep

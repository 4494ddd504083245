// JSON, written and read.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace linsep {

// Written by hand rather than by the JSON library for two reasons. Numbers have their shortest form that reads back to
// the same bits (std::to_chars). Lists of millions of numbers or words need no tree of them in memory.

void append_json_number(std::string& out, double number);

template <std::integral Integer>
void append_json_number(std::string& out, Integer number) {
  std::array<char, 24> digits{};
  out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

inline void append_json_flag(std::string& out, bool flag) { out += flag ? "true" : "false"; }

/// A string, or if it isn't UTF-8 {"bytes": "…"} with every byte as the character of that number.
void append_json_word(std::string& out, std::string_view word);

/// A list whose items are written by `append(item)`.
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

void append_json_words(std::string& out, std::span<const std::string> words);

/// Writes `"key": value` pairs with commas between them, each on a line of its own if `separator` begins with a
/// newline, otherwise one after another.
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

// JSON from outside, read field by field. Every field must be present, of its type, and known. Few files need the
// library's own header, which is slow to compile, so these functions are declared for its types and defined in json.cc.

/// A problem inside the JSON. Code that reads the file adds its name.
struct BadJson {
  std::string message;
};

BadJson wrong_json(const std::string& path, std::string_view expected);

/// One JSON object. Every field must be asked for, because finish() refuses the rest.
class JsonObject {
 public:
  JsonObject(const nlohmann::json& object, std::string path);

  bool has(const std::string& key) const;
  std::string path(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }
  const nlohmann::json& field(const std::string& key);
  void finish() const;

 private:
  const nlohmann::json& object_;
  std::string path_;
  std::set<std::string> asked_;
};

double json_number(const nlohmann::json& value, const std::string& path);

/// An integer from 0 to `most`.
std::uint64_t json_unsigned(const nlohmann::json& value, const std::string& path, std::uint64_t most);
template <class Integer>
Integer json_integer(const nlohmann::json& value, const std::string& path) {
  return static_cast<Integer>(
      json_unsigned(value, path, static_cast<std::uint64_t>(std::numeric_limits<Integer>::max())));
}

/// A string as `append_json_word` writes it.
std::string json_word(const nlohmann::json& value, const std::string& path);

/// Calls take(item) for each item of a list. `expected` is what a value that is no list should have been.
void for_each_json_item(const nlohmann::json& value, const std::string& path, std::string_view expected,
                        const std::function<void(const nlohmann::json& item)>& take);
/// The number of items, or nothing if the value is no list.
std::optional<std::size_t> json_length(const nlohmann::json& value);

std::vector<std::string> json_words(const nlohmann::json& value, const std::string& path);

template <class Number>
std::vector<Number> json_numbers(const nlohmann::json& value, const std::string& path) {
  std::vector<Number> result;
  result.reserve(json_length(value).value_or(0));
  for_each_json_item(value, path, "a list of numbers", [&](const nlohmann::json& item) {
    if constexpr (std::is_same_v<Number, double>) {
      result.push_back(json_number(item, path));
    } else {
      result.push_back(json_integer<Number>(item, path));
    }
  });
  return result;
}

bool json_flag(JsonObject& object, const std::string& key);
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
    known += known.empty() ? "\"" : ", \"";
    known += name;
    known += '"';
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

/// More than the most objects and lists that may be nested, which begins at this byte of the text.
struct DeepJson {
  std::size_t at = 0;
};
inline constexpr std::size_t kMostJsonDepth = 64;

/// Parses what no two readers can take in two ways: no object has a field twice. A parser's tree of deeply nested text
/// would take far more memory than the text, so that is refused too. Throws DeepJson, BadJson, or the library's
/// exceptions.
nlohmann::json parse_strict_json(std::string_view text, std::size_t most_depth = kMostJsonDepth);
/// The same, or null if the text is no such object.
nlohmann::json strict_json_object(std::string_view text);

/// Parses `text` strictly and gives it to `read`. Throws an input Error. A beginning that is no JSON is "not WHAT",
/// text that isn't JSON further on is reported with its line, and a BadJson is "not WHAT: message".
void parse_json_text(std::string_view text, const std::string& name, std::string_view what,
                     const std::function<void(const nlohmann::json& value)>& read);

/// The same, and returns what `read(json)` makes of it.
template <class Read>
auto read_json_text(std::string_view text, const std::string& name, std::string_view what, const Read& read) {
  std::optional<decltype(read(std::declval<const nlohmann::json&>()))> result;
  parse_json_text(text, name, what, [&](const nlohmann::json& value) { result.emplace(read(value)); });
  return std::move(*result);
}

}  // namespace linsep

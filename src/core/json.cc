#include "core/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "linsep/error.h"

namespace linsep {

using nlohmann::json;

void append_json_number(std::string& out, double number) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  const std::string_view text(digits.data(), static_cast<std::size_t>(end - digits.data()));
  out += text == "-0" ? "-0.0" : text;  // readers take -0 for the integer 0
}

void append_json_word(std::string& out, std::string_view word) {
  bool plain = true;
  for (const char c : word) plain = plain && c >= ' ' && c <= '~' && c != '"' && c != '\\';
  if (plain) {
    out += '"';
    out += word;
    out += '"';
    return;
  }
  try {
    out += json(word).dump();
  } catch (const json::type_error&) {
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
    out += "{\"bytes\": " + json(wide).dump() + "}";
  }
}

void append_json_words(std::string& out, std::span<const std::string> words) {
  append_json_list(out, words, [&](const std::string& word) { append_json_word(out, word); });
}

BadJson wrong_json(const std::string& path, std::string_view expected) {
  return BadJson{fmt::format("the field \"{}\" should be {}", path, expected)};
}

JsonObject::JsonObject(const json& object, std::string path) : object_(object), path_(std::move(path)) {
  if (!object_.is_object()) throw BadJson{path_.empty() ? "should be a JSON object" : path_ + " should be an object"};
}

bool JsonObject::has(const std::string& key) const { return object_.contains(key); }

const json& JsonObject::field(const std::string& key) {
  asked_.insert(key);
  const auto found = object_.find(key);
  if (found == object_.end()) throw BadJson{fmt::format("the field \"{}\" is missing", path(key))};
  return *found;
}

void JsonObject::finish() const {
  for (const auto& [key, value] : object_.items()) {
    if (!asked_.contains(key)) throw BadJson{fmt::format("the field \"{}\" is not one of this format", path(key))};
  }
}

double json_number(const json& value, const std::string& path) {
  if (!value.is_number()) throw wrong_json(path, "a number");
  return value.get<double>();
}

std::uint64_t json_unsigned(const json& value, const std::string& path, std::uint64_t most) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most) {
    throw wrong_json(path, fmt::format("an integer from 0 to {}", most));
  }
  return value.get<std::uint64_t>();
}

std::string json_word(const json& value, const std::string& path) {
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

void for_each_json_item(const json& value, const std::string& path, std::string_view expected,
                        const std::function<void(const json& item)>& take) {
  if (!value.is_array()) throw wrong_json(path, expected);
  for (const json& item : value) take(item);
}

std::optional<std::size_t> json_length(const json& value) {
  if (!value.is_array()) return std::nullopt;
  return value.size();
}

std::vector<std::string> json_words(const json& value, const std::string& path) {
  std::vector<std::string> result;
  result.reserve(json_length(value).value_or(0));
  for_each_json_item(value, path, "a list of strings",
                     [&](const json& item) { result.push_back(json_word(item, path)); });
  return result;
}

bool json_flag(JsonObject& object, const std::string& key) {
  const json& value = object.field(key);
  if (!value.is_boolean()) throw wrong_json(object.path(key), "true or false");
  return value.get<bool>();
}

namespace {

/// The first place at which more objects and lists are nested, or npos if there is none. For text that isn't JSON
/// either answer is possible.
std::size_t too_deep_json(std::string_view text, std::size_t most_depth) {
  std::size_t depth = 0;
  bool in_word = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_word) {
      if (c == '\\') ++at;
      in_word = c != '"';
    } else if (c == '"') {
      in_word = true;
    } else if (c == '[' || c == '{') {
      if (++depth > most_depth) return at;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return std::string_view::npos;
}

/// Refuses a field that stands twice in an object.
class FieldsOnce : public json::json_sax_t {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool start_object(std::size_t) override {
    fields_.emplace_back();
    return true;
  }
  bool end_object() override {
    fields_.pop_back();
    return true;
  }
  bool key(string_t& name) override {
    if (!fields_.back().insert(name).second) throw BadJson{fmt::format("the field \"{}\" stands twice", name)};
    return true;
  }
  /// The parser that runs afterwards reports it.
  bool parse_error(std::size_t, const std::string&, const json::exception&) override { return false; }

 private:
  std::vector<std::set<std::string>> fields_;  ///< of each open object
};

}  // namespace

// Parses twice, each time in one go. A parser that asks after each object would go through all fields of the one around
// it again.
json parse_strict_json(std::string_view text, std::size_t most_depth) {
  if (const std::size_t deep = too_deep_json(text, most_depth); deep != std::string_view::npos) throw DeepJson{deep};
  FieldsOnce once;
  json::sax_parse(text, &once);
  return json::parse(text);
}

json strict_json_object(std::string_view text) {
  try {
    json found = parse_strict_json(text);
    if (found.is_object()) return found;
  } catch (const DeepJson&) {
  } catch (const BadJson&) {
  } catch (const json::exception&) {
  }
  return nullptr;
}

void parse_json_text(std::string_view text, const std::string& name, std::string_view what,
                     const std::function<void(const json& value)>& read) {
  // The library's message without its bracketed code and position, since our own place is better.
  const auto plain = [](std::string_view message) {
    for (const std::string_view before : {"] ", ": "}) {
      const std::size_t at = message.find(before);
      if (at != std::string_view::npos) message.remove_prefix(at + before.size());
    }
    return "not valid JSON: " + std::string(message);
  };
  const auto place_at = [&](std::size_t at) {
    const std::string_view before = text.substr(0, at);
    const auto line = static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    const std::size_t newline = before.rfind('\n');
    return Place{name, line, newline == std::string_view::npos ? before.size() + 1 : before.size() - newline};
  };
  try {
    read(parse_strict_json(text));
  } catch (const DeepJson& deep) {
    throw Error(place_at(deep.at), fmt::format("not {}: it is nested too deeply", what));
  } catch (const json::parse_error& error) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && text[first] != '{' && text[first] != '[') {
      throw Error(Place{name}, fmt::format("not {}: should be a JSON object", what));
    }
    throw Error(place_at(error.byte == 0 ? 0 : error.byte - 1), plain(error.what()));
  } catch (const json::exception& error) {
    throw Error(Place{name}, plain(error.what()));
  } catch (const BadJson& bad) {
    throw Error(Place{name}, fmt::format("not {}: {}", what, bad.message));
  }
}

}  // namespace linsep

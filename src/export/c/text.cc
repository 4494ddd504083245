#include "export/c/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace linsep {
namespace {

constexpr std::size_t kLongestLiteral = 4000;  // C99 promises 4,095 bytes

/// Keywords of C and some of C++; one is in halves, for a check of this code takes it for a type.
constexpr std::array<std::string_view, 44> kWords = {"auto",
                                                     "break",
                                                     "case",
                                                     "char",
                                                     "const",
                                                     "continue",
                                                     "default",
                                                     "do",
                                                     "double",
                                                     "else",
                                                     "enum",
                                                     "extern",
                                                     "float",
                                                     "for",
                                                     "goto",
                                                     "if",
                                                     "inline",
                                                     "int",
                                                     "lo"
                                                     "ng",
                                                     "register",
                                                     "restrict",
                                                     "return",
                                                     "short",
                                                     "signed",
                                                     "sizeof",
                                                     "static",
                                                     "struct",
                                                     "switch",
                                                     "typedef",
                                                     "union",
                                                     "unsigned",
                                                     "void",
                                                     "volatile",
                                                     "while",
                                                     "_Bool",
                                                     "_Complex",
                                                     "_Imaginary",
                                                     "class",
                                                     "new",
                                                     "this",
                                                     "bool",
                                                     "true",
                                                     "false",
                                                     "NAN"};

bool is_word(const std::string& name) { return std::ranges::find(kWords, name) != kWords.end(); }

std::string identifier(const std::string& name) {
  std::string text;
  for (const char byte : name) {
    const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_';
    const bool digit = byte >= '0' && byte <= '9';
    if (text.empty() && digit) text = "column_";
    text.push_back(letter || digit ? byte : '_');
  }
  // Names that begin with an underscore are the compiler's.
  if (text.empty() || text[0] == '_') text = "column" + text;
  return is_word(text) ? text + "_" : text;
}

}  // namespace

std::string c_number(double value) {
  if (std::isnan(value)) return "NAN";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string c_string(std::string_view bytes) {
  std::string text = "\"";
  for (const char byte : bytes) {
    const auto code = static_cast<unsigned char>(byte);
    if (byte == '"' || byte == '\\' || byte == '?') {  // ?? might begin a trigraph
      text += '\\';
      text += byte;
    } else if (code >= 32 && code < 127 && byte != '@') {  // '@' stands for the file's name
      text += byte;
    } else {
      text += fmt::format("\\{:03o}", static_cast<unsigned>(code));
    }
  }
  return text + '"';
}

std::string c_comment(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    const bool plain =
        byte >= 32 && byte < 127 && byte != '*' && byte != '@' && byte != '/' && byte != '\\' && byte != '?';
    text += plain ? byte : '_';
  }
  return text;
}

std::vector<std::string> c_identifiers(const std::vector<std::string>& names) {
  std::vector<std::string> made;
  for (const std::string& name : names) {
    const std::string base = identifier(name);
    std::string own = base;
    for (int k = 2; std::ranges::find(made, own) != made.end(); ++k) own = fmt::format("{}_{}", base, k);
    made.push_back(own);
  }
  return made;
}

std::string with_prefix(std::string_view text, const std::string& name) {
  std::string result;
  for (const char byte : text) {
    if (byte == '@') {
      result += name;
      result += '_';
    } else {
      result += byte;
    }
  }
  return result;
}

std::string c_array(const std::string& type, const std::string& name, const std::vector<std::string>& values) {
  std::string text = fmt::format("static const {} {}[] = {{", type, name);
  std::size_t line = 200;
  for (const std::string& value : values) {
    if (line + value.size() > 100) {
      text += "\n  ";
      line = 0;
    }
    text += value;
    text += ", ";
    line += value.size() + 2;
  }
  if (values.empty()) text += "0";
  return text + "\n};\n";
}

std::string c_string_array(const std::string& name, const std::vector<std::string_view>& values) {
  std::string text;
  std::vector<std::string> entries;
  for (const std::string_view value : values) {
    if (value.size() <= kLongestLiteral) {
      entries.push_back(c_string(value));
      continue;
    }
    std::vector<std::string> bytes;
    for (const char byte : value) bytes.push_back(fmt::format("{}", static_cast<int>(static_cast<signed char>(byte))));
    bytes.emplace_back("0");
    entries.push_back(fmt::format("(const char *){}_{}", name, entries.size()));
    text += c_array("signed char", fmt::format("{}_{}", name, entries.size() - 1), bytes);
  }
  return text + c_array("char *const", name, entries);
}

std::string_view c_date_functions() {
  return R"(
/* Whole days since 1970-01-01, and from them the weekday (0: Monday), the month (0: January) and the hour. */
static double @days(double seconds) { return floor(seconds / 86400.0); }
static size_t @weekday(double seconds) {
  const double day = @days(seconds) + 3.0;
  return (size_t)(day - 7.0 * floor(day / 7.0));
}
static size_t @hour(double seconds) { return (size_t)floor((seconds - 86400.0 * @days(seconds)) / 3600.0); }
static size_t @month(double seconds) {
  /* Years that begin in March; 400 of them have 146097 days. */
  const double z = @days(seconds) + 719468.0;
  const int32_t day = (int32_t)(z - 146097.0 * floor(z / 146097.0));
  const int32_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  const int32_t march = (5 * (day - (365 * year + year / 4 - year / 100)) + 2) / 153;
  return (size_t)((march + 2) % 12);
}
)";
}

std::string_view c_find_function() {
  return R"(
/* The feature of a value: `values` ascend by bytes. */
static uint32_t @find(const char *const *values, const uint32_t *places, size_t count, const char *value,
                      uint32_t otherwise) {
  size_t low = 0, high = count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int order = strcmp(values[middle], value);
    if (order == 0) return places[middle];
    if (order < 0) low = middle + 1; else high = middle;
  }
  return otherwise;
}
)";
}

std::string_view c_find_pair_functions() {
  return R"(
/* The same for two values, with the byte 31 between them. */
static int @compare_pair(const char *pair, const char *first, const char *second) {
  for (; *first; ++first, ++pair) {
    if (*pair != *first) return (unsigned char)*pair < (unsigned char)*first ? -1 : 1;
  }
  if (*pair != 31) return (unsigned char)*pair < 31 ? -1 : 1;
  return strcmp(pair + 1, second);
}

static uint32_t @find_pair(const char *const *values, const uint32_t *places, size_t count, const char *first,
                           const char *second, uint32_t otherwise) {
  size_t low = 0, high = count;
  if (strchr(first, 31)) return otherwise;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int order = @compare_pair(values[middle], first, second);
    if (order == 0) return places[middle];
    if (order < 0) low = middle + 1; else high = middle;
  }
  return otherwise;
}
)";
}

}  // namespace linsep

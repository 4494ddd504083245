#include "format/arrow/type.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "linsep/error.h"
#include "linsep/tools/shown_text.h"

namespace linsep::arrow {
namespace {

using Type = Column::Type;

[[noreturn]] void refuse(const std::string& name, std::string_view format, std::string_view why) {
  throw input_error(
      fmt::format("column '{}' has the Arrow format '{}': {}", shown_text(name), shown_text(std::string(format)), why));
}

/// The number at the beginning of `text`, which is cut off, and a comma behind it.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (!text.empty() && text[0] == ',') text.remove_prefix(1);
  return number;
}

/// "d:precision,scale" or "d:precision,scale,bits".
bool read_decimal_type(std::string_view format, Column& column) {
  std::string_view rest = format.substr(2);
  const auto precision = take_number(rest);
  const auto scale = take_number(rest);
  const int bits = rest.empty() ? 128 : take_number(rest).value_or(0);
  column.type = Type::kDecimal;
  column.scale = scale.value_or(0);
  column.bytes = bits / 8;
  constexpr int kMostPlaces = 1000;
  return precision && scale && rest.empty() && column.scale >= -kMostPlaces && column.scale <= kMostPlaces &&
         (bits == 32 || bits == 64 || bits == 128 || bits == 256);
}

bool read_plain_type(std::string_view format, Column& column) {
  struct Known {
    std::string_view format;
    Type type;
    int bytes;
  };
  constexpr Known kKnown[] = {
      {"n", Type::kNull, 0},   {"b", Type::kBool, 0},     {"c", Type::kSigned, 1},      {"C", Type::kUnsigned, 1},
      {"s", Type::kSigned, 2}, {"S", Type::kUnsigned, 2}, {"i", Type::kSigned, 4},      {"I", Type::kUnsigned, 4},
      {"l", Type::kSigned, 8}, {"L", Type::kUnsigned, 8}, {"e", Type::kFloat, 2},       {"f", Type::kFloat, 4},
      {"g", Type::kFloat, 8},  {"u", Type::kString, 4},   {"U", Type::kLargeString, 8}, {"vu", Type::kStringView, 16},
      {"tdD", Type::kDays, 4}, {"+l", Type::kList, 4},    {"+L", Type::kLargeList, 8},
  };
  for (const Known& known : kKnown) {
    if (known.format != format) continue;
    column.type = known.type;
    column.bytes = known.bytes;
    return true;
  }
  return false;
}

/// Dates in milliseconds and timestamps of any unit, whatever the zone: the time in UTC.
bool read_time_type(std::string_view format, Column& column) {
  struct Unit {
    std::string_view begin;
    std::int64_t per_second;
  };
  constexpr Unit kUnits[] = {{"tdm", 1000}, {"tss:", 1}, {"tsm:", 1000}, {"tsu:", 1000000}, {"tsn:", 1000000000}};
  for (const Unit& unit : kUnits) {
    if (!format.starts_with(unit.begin)) continue;
    column.type = Type::kTime;
    column.bytes = 8;
    column.per_second = unit.per_second;
    return true;
  }
  return false;
}

bool read_type(std::string_view format, Column& column) {
  if (format.starts_with("d:")) return read_decimal_type(format, column);
  if (!format.starts_with("+w:")) return read_plain_type(format, column) || read_time_type(format, column);
  std::string_view rest = format.substr(3);
  const auto size = take_number(rest);
  column.type = Type::kFixedList;
  column.size = size.value_or(-1);
  return rest.empty() && column.size >= 0;
}

}  // namespace

Column read_column(const ArrowSchema& schema, const std::string& name) {
  Column column;
  column.name = name;
  const std::string_view format = schema.format == nullptr ? "" : schema.format;
  if (!read_type(format, column)) refuse(name, format, "its values are neither numbers, strings, dates nor vectors");
  if (column.is_list()) {
    if (schema.n_children != 1 || schema.children == nullptr) refuse(name, format, "a list without a type of values");
    column.items = std::make_shared<const Column>(read_column(*schema.children[0], name));
    if (column.items->type != Type::kFloat) {
      refuse(name, format, "lists are read where their values are floating-point numbers only");
    }
  }
  if (schema.dictionary != nullptr) {
    if (column.type != Type::kSigned && column.type != Type::kUnsigned) {
      refuse(name, format, "indices of a dictionary are integers");
    }
    column.words = std::make_shared<const Column>(read_column(*schema.dictionary, name));
    if (column.words->is_list() || column.words->words) refuse(name, format, "a dictionary of dictionaries or lists");
  }
  return column;
}

}  // namespace linsep::arrow

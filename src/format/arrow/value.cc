#include "format/arrow/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>
#include <string_view>

#include "bytes/number.h"
#include "linsep/error.h"
#include "linsep/tools/shown_text.h"

namespace linsep::arrow {
namespace {

using Type = Column::Type;

[[noreturn]] void refuse_type(const std::string& name, std::string_view format, std::string_view why) {
  throw input_error(
      fmt::format("column '{}' has the Arrow format '{}': {}", shown_text(name), shown_text(std::string(format)), why));
}

/// Takes the number at the beginning of `text`, and a comma after it.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (!text.empty() && text[0] == ',') text.remove_prefix(1);
  return number;
}

/// Reads "d:precision,scale" or "d:precision,scale,bits".
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

/// By how many seconds local time is ahead of UTC in a zone written UTC or ±hh:mm.
std::optional<std::int64_t> offset_of(std::string_view zone) {
  if (zone.empty() || zone == "UTC" || zone == "Etc/UTC" || zone == "Z") return 0;
  std::string digits(zone.substr(1));
  if (digits.size() == 5 && digits[2] == ':') digits.erase(2, 1);
  const bool signed_number = zone[0] == '+' || zone[0] == '-';
  if (!signed_number || digits.size() != 4 || digits.find_first_not_of("0123456789") != std::string::npos) {
    return std::nullopt;
  }
  const int number = std::stoi(digits);
  return (zone[0] == '-' ? -60 : 60) * (number / 100 * 60 + number % 100);
}

/// Reads types of dates in milliseconds and of timestamps in any unit. Those with a zone are times in UTC.
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
    const std::string_view zone = format.substr(unit.begin.size());
    const auto offset = offset_of(zone);
    if (!offset) column.zone = zone;
    column.offset = offset.value_or(0);
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

double half_to_double(std::uint16_t bits) {
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  if (exponent == 31) return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

double float_at(const Cell& cell) {
  const void* values = cell.array->buffers[1];
  if (cell.column->bytes == 2) return half_to_double(value_in<std::uint16_t>(values, cell.i));
  if (cell.column->bytes == 4) return value_in<float>(values, cell.i);
  return value_in<double>(values, cell.i);
}

std::int64_t signed_at(const void* values, int bytes, std::int64_t i) {
  switch (bytes) {
    case 1:
      return value_in<std::int8_t>(values, i);
    case 2:
      return value_in<std::int16_t>(values, i);
    case 4:
      return value_in<std::int32_t>(values, i);
    default:
      return value_in<std::int64_t>(values, i);
  }
}

std::uint64_t unsigned_at(const void* values, int bytes, std::int64_t i) {
  switch (bytes) {
    case 1:
      return value_in<std::uint8_t>(values, i);
    case 2:
      return value_in<std::uint16_t>(values, i);
    case 4:
      return value_in<std::uint32_t>(values, i);
    default:
      return value_in<std::uint64_t>(values, i);
  }
}

bool bool_at(const Cell& cell) {
  const auto* bits = static_cast<const std::uint8_t*>(cell.array->buffers[1]);
  return ((bits[cell.i >> 3] >> (cell.i & 7)) & 1) != 0;
}

/// The digits of a two's-complement integer of up to 256 bits, found by dividing its 32-bit parts.
std::string integer_text(const Cell& cell) {
  constexpr std::size_t kParts = 8;
  constexpr std::uint64_t kStep = 1000000000;
  const auto bytes = static_cast<std::size_t>(cell.column->bytes);
  const char* at = static_cast<const char*>(cell.array->buffers[1]) + cell.i * cell.column->bytes;
  std::array<std::uint32_t, kParts> part{};
  std::memcpy(part.data(), at, bytes);
  const bool negative = (static_cast<std::uint8_t>(at[bytes - 1]) & 0x80) != 0;
  if (negative) {
    std::uint64_t carry = 1;
    for (std::size_t k = 0; k < bytes / 4; ++k) {
      carry += static_cast<std::uint32_t>(~part[k]);
      part[k] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  std::string digits;
  while (std::ranges::any_of(part, [](std::uint32_t p) { return p != 0; })) {
    std::uint64_t rest = 0;
    for (std::size_t k = kParts; k-- > 0;) {
      rest = (rest << 32) | part[k];
      part[k] = static_cast<std::uint32_t>(rest / kStep);
      rest %= kStep;
    }
    for (int i = 0; i < 9; ++i, rest /= 10) digits += static_cast<char>('0' + rest % 10);
  }
  while (!digits.empty() && digits.back() == '0') digits.pop_back();
  if (digits.empty()) return "0";
  if (negative) digits += '-';
  std::ranges::reverse(digits);
  return digits;
}

std::string decimal_text(const Cell& cell) {
  const std::string digits = integer_text(cell);
  if (cell.column->scale <= 0) {
    return digits == "0" ? digits : digits + std::string(static_cast<std::size_t>(-cell.column->scale), '0');
  }
  const std::string_view sign = digits[0] == '-' ? "-" : "";
  const std::string_view whole = std::string_view(digits).substr(sign.size());
  const auto places = static_cast<std::size_t>(cell.column->scale);
  const std::string padded = std::string(whole.size() <= places ? places + 1 - whole.size() : 0, '0').append(whole);
  const std::size_t point = padded.size() - places;
  return fmt::format("{}{}.{}", sign, std::string_view(padded).substr(0, point),
                     std::string_view(padded).substr(point));
}

template <class Number>
std::string shortest(Number number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof(text), number).ptr};
}

std::string date_text(const Cell& cell) {
  constexpr std::int64_t kDay = 86400;
  const std::int64_t seconds = seconds_of(cell);
  const std::int64_t day = seconds >= 0 ? seconds / kDay : -((kDay - 1 - seconds) / kDay);
  // Beyond the calendar's years, a number serves as well as any text.
  constexpr std::int64_t kMostDays = 10000000;
  if (day < -kMostDays || day > kMostDays) return std::to_string(seconds);
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
  std::string text = fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                                 static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  const std::int64_t rest = seconds - day * kDay;
  if (cell.column->type != Type::kDays) {
    text += fmt::format(" {:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60);
  }
  return text;
}

}  // namespace

Column read_column(const ArrowSchema& schema, const std::string& name) {
  Column column;
  column.name = name;
  const std::string_view format = schema.format == nullptr ? "" : schema.format;
  if (!read_type(format, column))
    refuse_type(name, format, "its values are neither numbers, strings, dates nor vectors");
  if (column.is_list()) {
    if (schema.n_children != 1 || schema.children == nullptr) refuse_type(name, format, "its lists have no value type");
    column.items = std::make_shared<const Column>(read_column(*schema.children[0], name));
    if (column.items->type != Type::kFloat) {
      refuse_type(name, format, "only lists of floating-point numbers can be read");
    }
  }
  if (schema.dictionary != nullptr) {
    if (column.type != Type::kSigned && column.type != Type::kUnsigned) {
      refuse_type(name, format, "the indices of a dictionary must be integers");
    }
    column.words = std::make_shared<const Column>(read_column(*schema.dictionary, name));
    if (column.words->is_list() || column.words->words)
      refuse_type(name, format, "dictionaries of dictionaries or lists can't be read");
  }
  return column;
}

std::int64_t index_at(const Column& column, const ArrowArray& array, std::int64_t i) {
  if (column.type == Type::kSigned) return signed_at(array.buffers[1], column.bytes, i);
  return static_cast<std::int64_t>(unsigned_at(array.buffers[1], column.bytes, i));
}

std::int64_t string_begin(const Column& column, const ArrowArray& array, std::int64_t i) {
  return signed_at(array.buffers[1], column.bytes, i);
}
std::int64_t string_end(const Column& column, const ArrowArray& array, std::int64_t i) {
  return signed_at(array.buffers[1], column.bytes, i + 1);
}

Cell cell_at(const Column& column, const ArrowArray& array, std::int64_t row) {
  const std::int64_t i = array.offset + row;
  if (column.type == Type::kNull || !is_valid(array, i)) return {&column, &array, i, true};
  if (column.words) return cell_at(*column.words, *array.dictionary, index_at(column, array, i));
  return {&column, &array, i, false};
}

double number_of(const Cell& cell) {
  const void* values = cell.array->buffers[1];
  switch (cell.column->type) {
    case Type::kBool:
      return bool_at(cell) ? 1 : 0;
    case Type::kSigned:
      return static_cast<double>(signed_at(values, cell.column->bytes, cell.i));
    case Type::kUnsigned:
      return static_cast<double>(unsigned_at(values, cell.column->bytes, cell.i));
    case Type::kFloat:
      return float_at(cell);
    default:
      break;
  }
  const std::string text = decimal_text(cell);
  double value = 0;
  parse_number(text.data(), text.data() + text.size(), value);
  return value;
}

std::string_view string_of(const Cell& cell) {
  const ArrowArray& array = *cell.array;
  if (cell.column->type == Type::kStringView) {
    const char* at = static_cast<const char*>(array.buffers[1]) + cell.i * cell.column->bytes;
    const auto view = value_in<StringView>(array.buffers[1], cell.i);
    const auto size = static_cast<std::size_t>(view.size);
    if (view.size <= kInlineBytes) return {at + sizeof(std::int32_t), size};
    return {static_cast<const char*>(array.buffers[2 + view.buffer]) + view.offset, size};
  }
  const std::int64_t begin = string_begin(*cell.column, array, cell.i);
  const std::int64_t end = string_end(*cell.column, array, cell.i);
  if (begin == end) return {};
  return {static_cast<const char*>(array.buffers[2]) + begin, static_cast<std::size_t>(end - begin)};
}

std::int64_t seconds_of(const Cell& cell) {
  constexpr std::int64_t kDay = 86400;
  const std::int64_t value = signed_at(cell.array->buffers[1], cell.column->bytes, cell.i);
  if (cell.column->type == Type::kDays) return value * kDay;
  const std::int64_t whole = value / cell.column->per_second;
  return (value % cell.column->per_second < 0 ? whole - 1 : whole) + cell.column->offset;
}

std::string written_of(const Cell& cell) {
  if (cell.column->is_list()) return "";
  const void* values = cell.array->buffers[1];
  switch (cell.column->type) {
    case Type::kBool:
      return bool_at(cell) ? "true" : "false";
    case Type::kSigned:
      return std::to_string(signed_at(values, cell.column->bytes, cell.i));
    case Type::kUnsigned:
      return std::to_string(unsigned_at(values, cell.column->bytes, cell.i));
    case Type::kFloat:
      return cell.column->bytes == 8 ? shortest(float_at(cell)) : shortest(static_cast<float>(float_at(cell)));
    case Type::kDecimal:
      return decimal_text(cell);
    case Type::kDays:
    case Type::kTime:
      return date_text(cell);
    case Type::kString:
    case Type::kLargeString:
    case Type::kStringView:
      return std::string(string_of(cell));
    default:
      return "";
  }
}

Items items_of(const Cell& cell) {
  if (cell.column->type == Type::kFixedList) return {cell.i * cell.column->size, cell.column->size};
  const std::int64_t begin = string_begin(*cell.column, *cell.array, cell.i);
  return {begin, string_end(*cell.column, *cell.array, cell.i) - begin};
}

}  // namespace linsep::arrow

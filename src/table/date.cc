#include "table/date.h"

#include <array>
#include <chrono>
#include <cstddef>

namespace linsep {
namespace {

constexpr std::int64_t kDay = 86400;

/// Reads a field from left to right. Anything that doesn't fit makes `ok` false for good.
struct Cursor {
  std::string_view rest;
  bool ok = true;

  bool at_end() const { return rest.empty(); }
  bool next_is(char c) const { return !rest.empty() && rest[0] == c; }
  bool next_is_digit() const { return !rest.empty() && rest[0] >= '0' && rest[0] <= '9'; }
  bool skip(char c) {
    if (!next_is(c)) return false;
    rest.remove_prefix(1);
    return true;
  }
  void expect(char c) { ok = skip(c) && ok; }
  /// Reads from `least` to `most` digits.
  int digits(int least, int most) {
    int value = 0, count = 0;
    for (; count < most && next_is_digit(); ++count) {
      value = 10 * value + (rest[0] - '0');
      rest.remove_prefix(1);
    }
    ok = ok && count >= least;
    return value;
  }
};

struct Fields {
  int year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0;
};

std::optional<std::int64_t> seconds_of(const Fields& fields) {
  const std::chrono::year_month_day date{std::chrono::year(fields.year),
                                         std::chrono::month(static_cast<unsigned>(fields.month)),
                                         std::chrono::day(static_cast<unsigned>(fields.day))};
  if (!date.ok() || fields.hour > 23 || fields.minute > 59 || fields.second > 59) return {};
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return days * kDay + fields.hour * 3600 + fields.minute * 60 + fields.second;
}

/// Reads 17:03, 17:03:59 or 17:03:59.25, and then Z, ±hh:mm or nothing.
void read_time(Cursor& at, Fields& fields) {
  fields.hour = at.digits(2, 2);
  at.expect(':');
  fields.minute = at.digits(2, 2);
  if (at.skip(':')) {
    fields.second = at.digits(2, 2);
    if (at.skip('.')) {
      at.ok = at.ok && at.next_is_digit();
      while (at.next_is_digit()) at.rest.remove_prefix(1);
    }
  }
  if (at.skip('Z')) return;
  if (!at.skip('+') && !at.skip('-')) return;
  const int hours = at.digits(2, 2);
  at.expect(':');
  const int minutes = at.digits(2, 2);
  at.ok = at.ok && hours <= 23 && minutes <= 59;
}

std::optional<std::int64_t> parse_iso(std::string_view field) {
  if (field.size() < 10 || field[4] != '-') return {};
  Cursor at{field};
  Fields fields;
  fields.year = at.digits(4, 4);
  at.expect('-');
  fields.month = at.digits(2, 2);
  at.expect('-');
  fields.day = at.digits(2, 2);
  if (at.skip('T') || at.skip(' ')) read_time(at, fields);
  if (!at.ok || !at.at_end()) return {};
  return seconds_of(fields);
}

constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                      "jul", "aug", "sep", "oct", "nov", "dec"};

/// Reads an English month of three letters, in any case.
int read_month(Cursor& at) {
  std::string word(at.rest.substr(0, 3));
  for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (std::size_t month = 0; month < kMonths.size(); ++month) {
    if (word != kMonths[month]) continue;
    at.rest.remove_prefix(3);
    return static_cast<int>(month) + 1;
  }
  at.ok = false;
  return 1;
}

void read_conversion(char conversion, Cursor& at, Fields& fields) {
  switch (conversion) {
    case 'Y':
      fields.year = at.digits(4, 4);
      break;
    case 'y':
      fields.year = at.digits(2, 2);
      fields.year += fields.year < 69 ? 2000 : 1900;
      break;
    case 'm':
      fields.month = at.digits(1, 2);
      break;
    case 'b':
      fields.month = read_month(at);
      break;
    case 'd':
      fields.day = at.digits(1, 2);
      break;
    case 'H':
      fields.hour = at.digits(1, 2);
      break;
    case 'M':
      fields.minute = at.digits(1, 2);
      break;
    case 'S':
      fields.second = at.digits(1, 2);
      break;
    default:
      at.ok = false;
  }
}

}  // namespace

std::optional<std::int64_t> parse_date(std::string_view field, std::string_view format) {
  if (format == "iso") return parse_iso(field);
  Cursor at{field};
  Fields fields;
  for (std::size_t i = 0; i < format.size() && at.ok; ++i) {
    if (format[i] != '%') {
      at.expect(format[i]);
    } else {
      ++i;
      read_conversion(i < format.size() ? format[i] : '\0', at, fields);
    }
  }
  if (!at.ok || !at.at_end()) return {};
  return seconds_of(fields);
}

std::string problem_of_date_format(std::string_view format) {
  if (format == "iso") return "";
  constexpr std::string_view kKnown = "YmdHMSyb";
  std::string seen;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    ++i;
    const char conversion = i < format.size() ? format[i] : '%';
    if (kKnown.find(conversion) == std::string_view::npos)
      return "it can have only %Y %m %d %H %M %S %y %b and plain characters";
    const char part = conversion == 'y' ? 'Y' : conversion == 'b' ? 'm' : conversion;
    if (seen.find(part) != std::string::npos) return "it has a part twice";
    seen += part;
  }
  return seen.find('Y') == std::string::npos ? "it has no year: %Y or %y" : "";
}

DateParts parts_of(std::int64_t seconds) {
  const std::int64_t day = seconds / kDay - (seconds % kDay < 0 ? 1 : 0), time = seconds - day * kDay;
  const std::chrono::sys_days date{std::chrono::days(day)};
  DateParts parts;
  parts.days = static_cast<double>(seconds) / static_cast<double>(kDay);
  parts.weekday = static_cast<int>(std::chrono::weekday(date).iso_encoding()) - 1;
  parts.month = static_cast<int>(static_cast<unsigned>(std::chrono::year_month_day(date).month())) - 1;
  parts.hour = static_cast<int>(time / 3600);
  return parts;
}

}  // namespace linsep

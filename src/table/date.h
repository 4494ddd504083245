// Parses dates from fields into seconds since 1970-01-01 00:00, and splits them into parts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace linsep {

/// The format "iso" reads 2026-11-15, optionally followed by T or a blank and a time 17:03, 17:03:59 or 17:03:59.25,
/// and then Z or ±hh:mm. The zone is skipped, since the time is the local one as written, and fractions of a second are
/// cut off. Other formats are made of strptime's %Y %m %d %H %M %S %y %b (English) and plain bytes. Returns nothing if
/// the field isn't such a date, or no day of the calendar.
std::optional<std::int64_t> parse_date(std::string_view field, std::string_view format);

/// Returns what is wrong with a format, or "".
std::string problem_of_date_format(std::string_view format);

struct DateParts {
  double days = 0;  ///< since 1970-01-01, with the day's part
  int weekday = 0;  ///< 0 … 6, Monday first
  int month = 0;    ///< 0 … 11
  int hour = 0;     ///< 0 … 23
};
DateParts parts_of(std::int64_t seconds);

}  // namespace linsep

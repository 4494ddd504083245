// How often a checkpoint is written, from text.
#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "linsep/checkpoint.h"
#include "linsep/error.h"

namespace linsep {
namespace {

std::string_view without_blanks(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// Seconds in a unit of time; 0 where it isn't one.
double seconds_in(std::string_view unit) {
  if (unit == "s" || unit == "second" || unit == "seconds") return 1;
  if (unit == "m" || unit == "min" || unit == "minute" || unit == "minutes") return 60;
  if (unit == "h" || unit == "hour" || unit == "hours") return 3600;
  return 0;
}

}  // namespace

void set_every(Checkpoint& checkpoint, std::string_view text) {
  const std::string_view whole = without_blanks(text);
  double number = 0;
  const auto [end, error] = std::from_chars(whole.data(), whole.data() + whole.size(), number);
  const std::string_view unit = without_blanks(whole.substr(static_cast<std::size_t>(end - whole.data())));
  const double seconds = seconds_in(unit);
  const bool passes = unit.empty() || unit == "pass" || unit == "passes";
  constexpr double kMost = 1e9;
  const bool good = error == std::errc{} && number > 0 && number <= kMost &&
                    (seconds > 0 || (passes && number == std::floor(number)));
  if (!good) {
    throw option_error("every",
                       fmt::format("{{}} {}: expected a time like 60s, 5m or 1h, or a number of passes like 10", text));
  }
  checkpoint.every_seconds = seconds > 0 ? number * seconds : 0;
  checkpoint.every_passes = seconds > 0 ? 0 : static_cast<std::int64_t>(number);
}

}  // namespace linsep

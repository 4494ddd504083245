#include "linsep/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/from_chars.h"
#include "linsep/error.h"

namespace linsep {
namespace {

using Kind = OptionSpec::Kind;

// The values that the spec allows, for messages, as in "a number above 0" or "a whole number from 1 to 10".
std::string allowed(const OptionSpec& spec) {
  if (spec.kind == Kind::kFlag) return "true or false";
  if (spec.kind == Kind::kChoice) return fmt::format("one of {}", fmt::join(spec.choices, ", "));
  if (spec.kind == Kind::kText) return "text";
  if (spec.kind == Kind::kNumbers) return "numbers separated by commas";
  std::string text = spec.kind == Kind::kInteger ? "a whole number" : "a number";
  const bool low = std::isfinite(spec.low), high = std::isfinite(spec.high);
  const std::string_view from = spec.above_low ? "above" : (high ? "from" : "of at least");
  const std::string_view to = !low ? "of at most" : (spec.above_low ? "and at most" : "to");
  if (low) text += fmt::format(" {} {}", from, spec.low);
  if (high) text += fmt::format(" {} {}", to, spec.high);
  return text;
}

Error refused(const OptionSpec& spec, std::string_view given) {
  return option_error(std::string(spec.name), fmt::format("{{}} takes {}, not '{}'", allowed(spec), given));
}

template <class T>
bool parse_all(std::string_view text, T& out) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const auto result = from_chars(text.data(), text.data() + text.size(), out);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

bool in_range(const OptionSpec& spec, double value) {
  return std::isfinite(value) && (spec.above_low ? value > spec.low : value >= spec.low) && value <= spec.high;
}

// The value of another type that means the same. Whole numbers serve as numbers, one number as a list.
OptionValue converted(const OptionSpec& spec, const OptionValue& value) {
  const auto* whole = std::get_if<std::int64_t>(&value);
  if (spec.kind == Kind::kNumber && whole != nullptr) return static_cast<double>(*whole);
  if (spec.kind == Kind::kNumbers && std::holds_alternative<double>(value)) return std::vector{std::get<double>(value)};
  if (value.index() != spec.fallback.index()) throw refused(spec, option_text(value));
  return value;
}

OptionValue checked(const OptionSpec& spec, const OptionValue& given) {
  OptionValue value = converted(spec, given);
  bool good = true;
  if (spec.kind == Kind::kInteger) good = in_range(spec, static_cast<double>(std::get<std::int64_t>(value)));
  if (spec.kind == Kind::kNumber) good = in_range(spec, std::get<double>(value));
  if (spec.kind == Kind::kChoice) {
    good = std::find(spec.choices.begin(), spec.choices.end(), std::get<std::string>(value)) != spec.choices.end();
  }
  if (spec.kind == Kind::kNumbers) {
    const auto& numbers = std::get<std::vector<double>>(value);
    good = std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
  }
  if (!good) throw refused(spec, option_text(value));
  return value;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

OptionSpec flag_option(std::string_view name, std::string_view help) {
  return {.name = name, .kind = Kind::kFlag, .fallback = false, .choices = {}, .help = help};
}
OptionSpec integer_option(std::string_view name, std::int64_t fallback, double low, double high,
                          std::string_view help) {
  return {.name = name,
          .kind = Kind::kInteger,
          .fallback = fallback,
          .choices = {},
          .low = low,
          .high = high,
          .help = help};
}
OptionSpec number_option(std::string_view name, double fallback, double low, double high, std::string_view help) {
  return {
      .name = name, .kind = Kind::kNumber, .fallback = fallback, .choices = {}, .low = low, .high = high, .help = help};
}
OptionSpec choice_option(std::string_view name, std::string_view fallback, std::vector<std::string_view> choices,
                         std::string_view help) {
  return {.name = name,
          .kind = Kind::kChoice,
          .fallback = std::string(fallback),
          .choices = std::move(choices),
          .help = help};
}
OptionSpec text_option(std::string_view name, std::string_view fallback, std::string_view help) {
  return {.name = name, .kind = Kind::kText, .fallback = std::string(fallback), .choices = {}, .help = help};
}
OptionSpec numbers_option(std::string_view name, std::string_view help) {
  return {.name = name, .kind = Kind::kNumbers, .fallback = std::vector<double>{}, .choices = {}, .help = help};
}

OptionTable grouped(std::string_view group, OptionTable rows) {
  for (OptionSpec& row : rows) row.group = group;
  return rows;
}

OptionSpec in_group(std::string_view group, OptionSpec row) {
  row.group = group;
  return row;
}

OptionValue parse_option(const OptionSpec& spec, std::string_view text) {
  OptionValue value = std::string(text);
  if (spec.kind == Kind::kFlag) {
    if (text != "true" && text != "false") throw refused(spec, text);
    value = text == "true";
  } else if (spec.kind == Kind::kInteger) {
    std::int64_t whole = 0;
    if (!parse_all(text, whole)) throw refused(spec, text);
    value = whole;
  } else if (spec.kind == Kind::kNumber) {
    double number = 0;
    if (!parse_all(text, number)) throw refused(spec, text);
    value = number;
  } else if (spec.kind == Kind::kNumbers) {
    std::vector<double> numbers;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      if (!parse_all(text.substr(begin, end - begin), numbers.emplace_back())) throw refused(spec, text);
      begin = end + 1;
    }
    value = std::move(numbers);
  }
  return checked(spec, value);
}

const OptionSpec* find_option(const OptionTable& table, std::string_view name) {
  const auto at = std::find_if(table.begin(), table.end(), [&](const OptionSpec& spec) { return spec.name == name; });
  return at == table.end() ? nullptr : &*at;
}

Options complete_options(const OptionTable& table, const Options& given) {
  Options all;
  for (const OptionSpec& spec : table) all.emplace(std::string(spec.name), spec.fallback);
  for (const auto& [name, value] : given) {
    const OptionSpec* spec = find_option(table, name);
    if (spec == nullptr) {
      std::vector<std::string_view> names;
      for (const OptionSpec& known : table) names.push_back(known.name);
      const std::string near = nearest_word(name, names);
      std::vector<std::string> named{name};
      if (!near.empty()) named.push_back(near);
      throw options_error(named,
                          near.empty() ? "there is no option {} here" : "there is no option {}; did you mean {}?");
    }
    all[name] = checked(*spec, value);
  }
  return all;
}

std::string option_text(const OptionValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *whole);
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return fmt::format("{}", fmt::join(std::get<std::vector<double>>(value), ","));
}

bool get_flag(const Options& options, std::string_view name) { return std::get<bool>(options.find(name)->second); }
std::int64_t get_integer(const Options& options, std::string_view name) {
  return std::get<std::int64_t>(options.find(name)->second);
}
double get_number(const Options& options, std::string_view name) {
  return std::get<double>(options.find(name)->second);
}
const std::string& get_text(const Options& options, std::string_view name) {
  return std::get<std::string>(options.find(name)->second);
}
const std::vector<double>& get_numbers(const Options& options, std::string_view name) {
  return std::get<std::vector<double>>(options.find(name)->second);
}

std::string nearest_word(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least && distance < candidate.size()) {
      least = distance;
      best = candidate;
    }
  }
  return std::string(best);
}

}  // namespace linsep

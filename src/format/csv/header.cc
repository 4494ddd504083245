#include "format/csv/header.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "format/csv/fields.h"
#include "format/text/number.h"

namespace linsep::csv {
namespace {

bool is_number(std::string_view field) {
  field = trimmed(field);
  double value = 0;
  return parse_whole_number(field.data(), field.data() + field.size(), value);
}

/// The columns that options name, other than those of a model.
std::vector<std::string> named_by(const ReadOptions& options) {
  std::vector<std::string> named = options.ignore;
  named.insert(named.end(), options.labels.begin(), options.labels.end());
  for (const std::string* name : {&options.label, &options.id, &options.weight}) named.push_back(*name);
  std::erase(named, "");
  return named;
}

/// Numbers and nothing but numbers, holes apart.
bool are_numbers(std::span<const std::string_view> below) {
  bool some = false;
  for (const std::string_view field : below) {
    if (is_number(field)) {
      some = true;
    } else if (is_name(field)) {
      return false;
    }
  }
  return some;
}

}  // namespace

std::optional<std::uint64_t> column_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return number;
}

bool is_name(std::string_view field) {
  field = trimmed(field);
  double value = 0;
  const NumberEnd got = parse_number(field.data(), field.data() + field.size(), value);
  const bool number = got.fault == NumberFault::kNone && got.end == field.data() + field.size();
  if (field.empty() || number || got.fault == NumberFault::kTooLarge) return false;
  std::string word(field[0] == '+' || field[0] == '-' ? field.substr(1) : field);
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
  constexpr std::string_view kNoNames[] = {"nan", "inf", "infinity", "na", "n/a", "null", "none", "?"};
  return std::find(std::begin(kNoNames), std::end(kNoNames), word) == std::end(kNoNames);
}

bool has_room_for_label(std::size_t candidates, const ReadOptions& options) {
  return options.labelled || options.features == 0 || candidates > options.features;
}

bool has_header(const std::vector<std::string>& fields, const ReadOptions& options) {
  if (options.header) return *options.header;
  std::vector<bool> feature(fields.size(), true);
  std::size_t candidates = fields.size();
  for (const std::string& name : named_by(options)) {
    const std::optional<std::uint64_t> number = column_number(name);
    if (!number) return true;  // names need a header
    if (*number < 1 || *number > fields.size() || !feature[*number - 1]) continue;
    feature[*number - 1] = false;
    --candidates;
  }
  const auto last = std::find(feature.rbegin(), feature.rend(), true);
  const bool label_named = !options.label.empty() || !options.labels.empty();
  if (!label_named && last != feature.rend() && has_room_for_label(candidates, options)) *last = false;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (feature[i] && is_name(fields[i])) return true;
  }
  return false;
}

bool has_table_header(std::span<const std::string_view> first_row,
                      std::span<const std::vector<std::string_view>> columns, const ReadOptions& options,
                      std::span<const std::string> named) {
  if (options.header) return *options.header;
  const auto is_word = [](const std::string& name) { return !column_number(name); };
  if (std::ranges::any_of(named_by(options), is_word) || std::ranges::any_of(named, is_word)) return true;
  if (std::ranges::any_of(first_row, is_number)) return false;
  for (std::size_t c = 0; c < first_row.size(); ++c) {
    if (is_name(first_row[c]) && are_numbers(columns[c])) return true;
  }
  for (std::size_t c = 0; c < first_row.size(); ++c) {
    if (c == 0 && first_row[c].empty() && are_numbers(columns[c])) continue;  // numbers of rows often have no name
    const auto again = std::ranges::find(first_row.subspan(c + 1), first_row[c]);
    if (!is_name(first_row[c]) || again != first_row.subspan(c + 1).end()) return false;
    if (std::ranges::find(columns[c], first_row[c]) != columns[c].end()) return false;
  }
  return true;
}

}  // namespace linsep::csv

#include "format/csv/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bytes/number.h"
#include "core/deadline.h"
#include "core/keyed_map.h"
#include "format/csv/fields.h"
#include "linsep/error.h"
#include "linsep/options.h"
#include "linsep/read.h"
#include "linsep/tools/shown_text.h"

namespace linsep::csv {
namespace {

/// The columns that options name, other than those of a model.
std::vector<std::string> named_by(const ReadOptions& options) {
  std::vector<std::string> named = options.ignore;
  named.insert(named.end(), options.labels.begin(), options.labels.end());
  for (const std::string* name : {&options.label, &options.id, &options.weight}) named.push_back(*name);
  std::erase(named, "");
  return named;
}

/// Whether the fields are all numbers, not counting missing values.
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

bool is_number(std::string_view field) {
  field = trimmed(field);
  double value = 0;
  const char *begin = field.data(), *end = begin + field.size();
  return parse_whole_number(begin, end, value) || is_too_large(begin, end);
}

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
    if (c == 0 && first_row[c].empty() && are_numbers(columns[c])) continue;  // row numbers often have no name
    if (!is_name(first_row[c])) return false;
    if (std::ranges::find(columns[c], first_row[c]) != columns[c].end()) return false;
  }
  return true;
}

/// REQUIRES: `columns` has header, names and as many roles as columns.
class Roles {
 public:
  Roles(Columns& columns, const ReadOptions& options) : columns_(columns), options_(options) {}

  /// Assigns roles if features are numbers. Features are those that a model names, or all columns without another
  /// purpose.
  void assign();
  /// Assigns roles for a table that a map or a plan asks for.
  void assign_asked(std::span<const std::string> asked, bool by_number);
  /// Assigns roles for a table to be fitted. Columns without another purpose are features.
  void assign_free(std::span<const NamedColumn> named, std::vector<std::size_t>& place);
  /// The column that an option names. Throws a usage Error if there is none.
  std::size_t place_of(const std::string& text, std::string_view option) const;

 private:
  void assign_purposes();
  std::optional<std::size_t> named(const std::string& name) const;
  std::size_t asked_column(const std::string& name, bool by_number) const;
  std::optional<std::size_t> called_label() const;
  void assign_table_label();
  std::optional<std::size_t> find(const std::string& text, std::string_view option) const;
  [[noreturn]] void refuse(const std::string& text, std::string_view option) const;
  void set(std::size_t column, Role role, std::string_view option);
  void give(const std::string& text, Role role, std::string_view option);
  void add_feature(std::size_t column);
  void take_named_features();
  void set_label(std::size_t column);
  void assign_label(bool by_name);
  void assign_labels(bool by_name);
  void take_all_others();

  Columns& columns_;
  const ReadOptions& options_;
  std::vector<bool> taken_ = std::vector<bool>(columns_.size(), false);
  /// The index of each name of the header. Filled at the first lookup.
  mutable KeyedMap<std::string_view, std::size_t> by_name_;
  std::vector<bool> purposes_;  ///< columns that are an id, a weight, or ignored
};

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) text += (i == 0 ? "" : ", ") + shown_text(names[i]);
  if (names.size() > kMost) text += fmt::format(" and {} more", names.size() - kMost);
  return text;
}

std::string nearest(const std::string& name, const std::vector<std::string>& names) {
  const auto same = std::find_if(names.begin(), names.end(), [&](const auto& n) { return lower(n) == lower(name); });
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string near = same != names.end() ? *same : nearest_word(name, views);
  return near.empty() ? "" : fmt::format(" (did you mean {}?)", shown_text(near));
}

}  // namespace

std::optional<std::size_t> Roles::named(const std::string& name) const {
  if (by_name_.empty()) {
    by_name_.reserve(columns_.names.size());
    for (std::size_t i = 0; i < columns_.names.size(); ++i) by_name_.emplace(columns_.names[i], i);
  }
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

void Roles::assign() {
  assign_purposes();
  const bool by_name = columns_.header && !options_.feature_names.empty();
  if (by_name) take_named_features();
  if (options_.labels.empty()) {
    assign_label(by_name);
  } else {
    assign_labels(columns_.header);
  }
  if (!by_name) take_all_others();
}

void Roles::assign_asked(std::span<const std::string> asked, bool by_number) {
  assign_purposes();
  for (const std::string& name : asked) add_feature(asked_column(name, by_number));
  assign_table_label();
}

void Roles::assign_free(std::span<const NamedColumn> named, std::vector<std::size_t>& place) {
  assign_purposes();
  for (const NamedColumn& column : named) {
    const std::optional<std::size_t> found = find(column.text, column.option);
    if (!found) refuse(column.text, column.option);
    set(*found, Role::kFeature, column.option);
    place.push_back(*found);
  }
  assign_table_label();
  columns_.features = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (!taken_[i] || columns_.role[i] == Role::kFeature) add_feature(i);
  }
}

std::size_t Roles::place_of(const std::string& text, std::string_view option) const {
  const std::optional<std::size_t> column = find(text, option);
  if (!column) refuse(text, option);
  return *column;
}

void Roles::assign_purposes() {
  give(options_.id, Role::kId, "id");
  give(options_.weight, Role::kWeight, "weight");
  for (const std::string& name : options_.ignore) give(name, Role::kIgnored, "ignore");
  purposes_ = taken_;
}

/// The column that has this name in a map, or this number.
std::size_t Roles::asked_column(const std::string& name, bool by_number) const {
  const auto missing = [&](const std::string& message) {
    return input_error(fmt::format("the column '{}' {}", name, message));
  };
  std::size_t column = columns_.size();
  if (!by_number) {
    column = named(name).value_or(column);
  } else if (const std::optional<std::uint64_t> number = column_number(name); number && *number >= 1) {
    column = *number - 1;
  }
  if (column >= columns_.size()) {
    if (!by_number) {
      throw missing(fmt::format("is not in the header{}; the columns are {}", nearest(name, columns_.names),
                                listed(columns_.names)));
    }
    throw missing(fmt::format("doesn't exist: the input has {} columns", columns_.size()));
  }
  if (taken_[column]) throw missing("already has another purpose");
  return column;
}

/// The only column whose name is typical of labels, whatever its role. None if there are several.
std::optional<std::size_t> Roles::called_label() const {
  constexpr std::string_view kCalled[] = {"label", "class", "target", "outcome", "y"};
  std::optional<std::size_t> found;
  const bool has_x = std::ranges::any_of(columns_.names, [](const std::string& name) { return lower(name) == "x"; });
  for (std::size_t i = 0; i < columns_.names.size(); ++i) {
    if (has_x && lower(columns_.names[i]) == "y") continue;  // a coordinate
    if (purposes_[i] || std::ranges::find(kCalled, lower(columns_.names[i])) == std::end(kCalled)) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

void Roles::assign_table_label() {
  if (!options_.labels.empty()) return assign_labels(true);
  if (!options_.label.empty()) {
    const std::optional<std::size_t> column = find(options_.label, "label");
    if (!column && options_.labelled) refuse(options_.label, "label");
    if (column && (options_.labelled || !taken_[*column])) set_label(*column);
    return;
  }
  if (!options_.labelled) return;
  if (const auto called = called_label(); called && !taken_[*called]) {
    const std::string& name = columns_.names[*called];
    if (std::ranges::find(columns_.repeated, name) != columns_.repeated.end()) {
      throw option_error("label", fmt::format("more than one column is called {}: give the label's number with {{}}",
                                              shown_text(name)));
    }
    columns_.label_reason = "by its name";
    return set_label(*called);
  }
  const auto last = std::find(taken_.rbegin(), taken_.rend(), false);
  if (last == taken_.rend()) throw input_error("no column is left for the label");
  columns_.label_reason = last == taken_.rbegin() ? "the last column" : "the last column without another purpose";
  set_label(static_cast<std::size_t>(taken_.rend() - last) - 1);
}

/// The column that an option names, if any.
std::optional<std::size_t> Roles::find(const std::string& text, std::string_view option) const {
  if (const std::optional<std::size_t> place = named(text)) {
    const bool purpose = option == "label" || option == "labels" || option == "id" || option == "weight";
    if (!purpose || std::ranges::find(columns_.repeated, text) == columns_.repeated.end()) return place;
    throw option_error(std::string(option),
                       fmt::format("{{}} {}: more than one column has this name; give its number", text));
  }
  const std::optional<std::uint64_t> number = column_number(text);
  if (number && *number >= 1 && *number <= columns_.size()) return *number - 1;
  return std::nullopt;
}

void Roles::refuse(const std::string& text, std::string_view option) const {
  if (column_number(text)) {
    throw option_error(std::string(option),
                       fmt::format("{{}} {}: no such column; the input has {}", text, columns_.size()));
  }
  if (!columns_.header) {
    throw option_error(
        std::string(option),
        fmt::format("{{}} {}: without a header a column is given by its number, from 1 to {}", text, columns_.size()));
  }
  throw option_error(std::string(option), fmt::format("{{}} {}: no such column{}; the columns are {}", text,
                                                      nearest(text, columns_.names), listed(columns_.names)));
}

void Roles::set(std::size_t column, Role role, std::string_view option) {
  if (taken_[column]) {
    throw option_error(std::string(option),
                       fmt::format("{{}} {}: this column already has another purpose", columns_.argument(column)));
  }
  taken_[column] = true;
  columns_.role[column] = role;
}

void Roles::give(const std::string& text, Role role, std::string_view option) {
  if (text.empty()) return;
  const std::optional<std::size_t> column = find(text, option);
  if (!column) refuse(text, option);
  if (role == Role::kIgnored && taken_[*column] && columns_.role[*column] == Role::kIgnored) return;
  set(*column, role, option);
}

void Roles::add_feature(std::size_t column) {
  taken_[column] = true;
  columns_.role[column] = Role::kFeature;
  columns_.feature[column] = columns_.features++;
}

void Roles::take_named_features() {
  std::vector<std::string> repeated;
  for (const std::string& name : unique_names(options_.feature_names, repeated)) {
    const std::optional<std::size_t> column = named(name);
    if (!column || taken_[*column]) {
      throw input_error(fmt::format("the model's feature '{}' has no column{}; the columns are {}", name,
                                    nearest(name, columns_.names), listed(columns_.names)));
    }
    add_feature(*column);
  }
}

void Roles::set_label(std::size_t column) {
  set(column, Role::kLabel, "label");
  columns_.has_label = true;
}

void Roles::assign_label(bool by_name) {
  const auto candidates = static_cast<std::size_t>(std::count(taken_.begin(), taken_.end(), false));
  const bool named_in_header = !options_.label.empty() && named(options_.label);
  if (!options_.label.empty()) {
    const std::optional<std::size_t> column = find(options_.label, "label");
    if (!column && options_.labelled) refuse(options_.label, "label");
    const bool absent = !column || (!options_.labelled && !named_in_header &&
                                    (by_name ? taken_[*column] : !has_room_for_label(candidates, options_)));
    if (!absent) set_label(*column);
    return;
  }
  if (!options_.labelled && by_name) return;
  const auto last = std::find(taken_.rbegin(), taken_.rend(), false);
  if (last != taken_.rend() && has_room_for_label(candidates, options_)) {
    set_label(static_cast<std::size_t>(taken_.rend() - last) - 1);
  } else if (options_.labelled) {
    throw input_error("no column is left for the label");
  }
}

/// Finds several label columns. For prediction they may be missing.
void Roles::assign_labels(bool by_name) {
  columns_.label.assign(columns_.size(), 0);
  const auto candidates = static_cast<std::size_t>(std::count(taken_.begin(), taken_.end(), false));
  const bool room = by_name || options_.features == 0 || candidates >= options_.features + options_.labels.size();
  for (const std::string& text : options_.labels) {
    const std::optional<std::size_t> column = find(text, "labels");
    if (!column && options_.labelled) refuse(text, "labels");
    if (column && (options_.labelled || (room && !taken_[*column]))) {
      set(*column, Role::kLabel, "labels");
      columns_.label[*column] = static_cast<std::uint32_t>(columns_.labels.size());
      columns_.has_label = true;
    }
    columns_.labels.push_back(column && columns_.header ? columns_.names[*column] : text);
  }
}

void Roles::take_all_others() {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (!taken_[i]) add_feature(i);
  }
  if (!options_.labelled && options_.features > 0 && columns_.features != options_.features) {
    throw input_error(fmt::format("the input has {1} columns for features, but the model has {0} features",
                                  options_.features, columns_.features));
  }
}

std::string Columns::shown(std::size_t column) const {
  return header ? fmt::format("column '{}'", shown_text(names[column])) : fmt::format("column {}", column + 1);
}

std::string Columns::argument(std::size_t column) const {
  if (!header) return fmt::format("{}", column + 1);
  const std::string& name = names[column];
  const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c >= 0x80 || c == '_' || c == '.' || c == '-';
  });
  if (plain && shown_text(name) == name) return name;
  // A name that a shell would not take for a single word is replaced by the column's number.
  const bool harmless = name.find('\'') == std::string::npos && shown_text(name) == name;
  return harmless ? fmt::format("'{}'", name) : fmt::format("{}", column + 1);
}

std::vector<std::string> Columns::feature_names() const {
  std::vector<std::string> out;
  if (!header) return out;
  out.resize(features);
  for (std::size_t i = 0; i < size(); ++i) {
    if (role[i] == Role::kFeature) out[feature[i]] = names[i];
  }
  return out;
}

std::vector<std::string> unique_names(std::span<const std::string> fields, std::vector<std::string>& repeated) {
  std::vector<std::string> names;
  names.reserve(fields.size());
  for (const std::string& field : fields) {
    poll(100 + field.size());
    const std::string_view name = trimmed(field);
    names.push_back(name.empty() ? fmt::format("column {}", names.size() + 1) : std::string(name));
  }
  // Sorted hashes show, in a fraction of a set's time, that no name is repeated. That holds in nearly every file.
  std::vector<std::size_t> hashes(names.size());
  std::ranges::transform(names, hashes.begin(), KeyedHash());
  std::ranges::sort(hashes);
  if (std::ranges::adjacent_find(hashes) == hashes.end()) return names;
  KeyedSet<std::string> known(names.begin(), names.end());
  KeyedMap<std::string, std::size_t> met;
  for (std::string& name : names) {
    poll(200 + name.size());
    std::size_t& count = met[name];
    if (++count == 1) continue;
    if (count == 2) repeated.push_back(name);
    std::string other = fmt::format("{}.{}", name, count);
    while (!known.insert(other).second) other = fmt::format("{}.{}", name, ++count);
    name = std::move(other);
  }
  return names;
}

Reading reading_of(const Columns& columns, char delimiter) {
  Reading reading;
  reading.format = "csv";
  reading.delimiter = std::string(1, delimiter);
  reading.header = columns.header;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::string name = columns.header ? columns.names[c] : std::to_string(c + 1);
    if (columns.role[c] == Role::kLabel) {
      if (columns.labels.empty()) reading.label = name;
    } else if (columns.role[c] != Role::kFeature) {
      reading.left_out.push_back(name);
    }
  }
  return reading;
}

std::size_t column_named(const Columns& columns, const std::string& text, std::string_view option) {
  Columns looked_at = columns;
  return Roles(looked_at, ReadOptions{}).place_of(text, option);
}

namespace {

Columns named_columns(const std::vector<std::string>& first_row, bool header) {
  Columns columns;
  columns.header = header;
  columns.role.assign(first_row.size(), Role::kIgnored);
  columns.feature.assign(first_row.size(), 0);
  if (header) columns.names = unique_names(first_row, columns.repeated);
  return columns;
}

}  // namespace

Columns find_columns(const std::vector<std::string>& first_row, const ReadOptions& options) {
  Columns columns = named_columns(first_row, has_header(first_row, options));
  Roles(columns, options).assign();
  return columns;
}

Columns find_asked_columns(const std::vector<std::string>& first_row, const ReadOptions& options, bool header,
                           bool by_number, std::span<const std::string> asked) {
  Columns columns = named_columns(first_row, header);
  Roles(columns, options).assign_asked(asked, by_number);
  return columns;
}

Columns find_free_columns(const std::vector<std::string>& first_row, const ReadOptions& options, bool header,
                          std::span<const NamedColumn> named, std::vector<std::size_t>& place) {
  Columns columns = named_columns(first_row, header);
  Roles(columns, options).assign_free(named, place);
  return columns;
}

}  // namespace linsep::csv

#include "format/csv/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string_view>

#include "format/csv/fields.h"
#include "format/text/number.h"
#include "linsep/error.h"
#include "linsep/options.h"
#include "linsep/tools/shown_text.h"

namespace linsep::csv {
namespace {

/// A column's number as people write it, from 1.
std::optional<std::uint64_t> as_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// Whether a field of the first row can only be a name. A missing or infinite value is no name: taken for one, its row
/// would be lost without a word.
bool is_name(std::string_view field) {
  field = trimmed(field);
  double value = 0;
  const NumberEnd got = parse_number(field.data(), field.data() + field.size(), value);
  const bool number = got.fault == NumberFault::kNone && got.end == field.data() + field.size();
  if (field.empty() || number || got.fault == NumberFault::kTooLarge) return false;
  const std::string word = lower(std::string(field[0] == '+' || field[0] == '-' ? field.substr(1) : field));
  constexpr std::string_view kNoNames[] = {"nan", "inf", "infinity", "na", "n/a", "null", "none", "?"};
  return std::find(std::begin(kNoNames), std::end(kNoNames), word) == std::end(kNoNames);
}

/// Without names to go by, a file for a model of `features` features has a label only if it has a column more.
bool has_room_for_label(std::size_t candidates, const ReadOptions& options) {
  return options.labelled || options.features == 0 || candidates > options.features;
}

bool has_header(const std::vector<std::string>& fields, const ReadOptions& options) {
  if (options.header) return *options.header;
  std::vector<std::string> named = options.ignore;
  named.insert(named.end(), options.labels.begin(), options.labels.end());
  for (const std::string* name : {&options.label, &options.id, &options.weight}) {
    if (!name->empty()) named.push_back(*name);
  }
  std::vector<bool> feature(fields.size(), true);
  std::size_t candidates = fields.size();
  for (const std::string& name : named) {
    if (name.empty()) continue;
    const std::optional<std::uint64_t> number = as_number(name);
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

/// Gives the columns their roles.
class Roles {
 public:
  Roles(Columns& columns, const ReadOptions& options) : columns_(columns), options_(options) {}

  void assign() {
    give(options_.id, Role::kId, "id");
    give(options_.weight, Role::kWeight, "weight");
    for (const std::string& name : options_.ignore) give(name, Role::kIgnored, "ignore");
    const bool by_name = columns_.header && !options_.feature_names.empty();
    if (by_name) take_named_features();
    if (options_.labels.empty()) {
      assign_label(by_name);
    } else {
      assign_labels();
    }
    if (!by_name) take_all_others();
  }

 private:
  /// The column that an option names, or none.
  std::optional<std::size_t> find(const std::string& text, std::string_view option) const {
    const auto& names = columns_.names;
    const auto place = std::find(names.begin(), names.end(), text);
    if (place != names.end()) {
      if (std::find(place + 1, names.end(), text) == names.end())
        return static_cast<std::size_t>(place - names.begin());
      throw option_error(std::string(option),
                         fmt::format("{{}} {}: more than one column is called so; give its number", text));
    }
    const std::optional<std::uint64_t> number = as_number(text);
    if (number && *number >= 1 && *number <= columns_.size()) return *number - 1;
    return std::nullopt;
  }

  [[noreturn]] void refuse(const std::string& text, std::string_view option) const {
    if (as_number(text)) {
      throw option_error(std::string(option),
                         fmt::format("{{}} {}: there is no such column, the input has {}", text, columns_.size()));
    }
    if (!columns_.header) {
      throw option_error(std::string(option),
                         fmt::format("{{}} {}: without a header a column is given by its number, from 1 to {}", text,
                                     columns_.size()));
    }
    throw option_error(std::string(option), fmt::format("{{}} {}: there is no such column{}; the columns are {}", text,
                                                        nearest(text, columns_.names), listed(columns_.names)));
  }

  void set(std::size_t column, Role role, std::string_view option) {
    if (taken_[column]) {
      throw option_error(std::string(option),
                         fmt::format("{{}} {}: this column has another purpose already", columns_.argument(column)));
    }
    taken_[column] = true;
    columns_.role[column] = role;
  }

  void give(const std::string& text, Role role, std::string_view option) {
    if (text.empty()) return;
    const std::optional<std::size_t> column = find(text, option);
    if (!column) refuse(text, option);
    if (role == Role::kIgnored && taken_[*column] && columns_.role[*column] == Role::kIgnored) return;
    set(*column, role, option);
  }

  void add_feature(std::size_t column) {
    taken_[column] = true;
    columns_.role[column] = Role::kFeature;
    columns_.feature[column] = columns_.features++;
  }

  void take_named_features() {
    for (const std::string& name : options_.feature_names) {
      std::size_t column = 0;
      while (column < columns_.size() && (taken_[column] || columns_.names[column] != name)) ++column;
      if (column == columns_.size()) {
        throw input_error(fmt::format("the model's feature '{}' has no column{}; the columns are {}", name,
                                      nearest(name, columns_.names), listed(columns_.names)));
      }
      add_feature(column);
    }
  }

  void set_label(std::size_t column) {
    set(column, Role::kLabel, "label");
    columns_.has_label = true;
  }

  void assign_label(bool by_name) {
    const auto candidates = static_cast<std::size_t>(std::count(taken_.begin(), taken_.end(), false));
    const bool named_in_header =
        std::find(columns_.names.begin(), columns_.names.end(), options_.label) != columns_.names.end();
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
      throw input_error("there is no column left for the label");
    }
  }

  /// Several label columns. For prediction none of them need be there.
  void assign_labels() {
    columns_.label.assign(columns_.size(), 0);
    const auto candidates = static_cast<std::size_t>(std::count(taken_.begin(), taken_.end(), false));
    const bool room =
        columns_.header || options_.features == 0 || candidates >= options_.features + options_.labels.size();
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

  void take_all_others() {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!taken_[i]) add_feature(i);
    }
    if (!options_.labelled && options_.features > 0 && columns_.features != options_.features) {
      throw input_error(fmt::format("the input has {1} columns for features, but the model has {0} features",
                                    options_.features, columns_.features));
    }
  }

  Columns& columns_;
  const ReadOptions& options_;
  std::vector<bool> taken_ = std::vector<bool>(columns_.size(), false);
};

}  // namespace

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
  // What a shell would take for more than a word is called by its number.
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

Columns find_columns(const std::vector<std::string>& first_row, const ReadOptions& options) {
  Columns columns;
  columns.header = has_header(first_row, options);
  columns.role.assign(first_row.size(), Role::kIgnored);
  columns.feature.assign(first_row.size(), 0);
  if (columns.header) {
    for (const std::string& field : first_row) {
      const std::string name(trimmed(field));
      columns.names.push_back(name.empty() ? fmt::format("column {}", columns.names.size() + 1) : name);
    }
  }
  Roles(columns, options).assign();
  return columns;
}

}  // namespace linsep::csv

#include "format/csv/roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "format/csv/header.h"
#include "linsep/error.h"
#include "linsep/options.h"
#include "linsep/tools/shown_text.h"

namespace linsep::csv {
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

/// The column that a map calls `name`, or knows by this number.
std::size_t Roles::asked_column(const std::string& name, bool by_number) const {
  const auto missing = [&](const std::string& message) {
    return input_error(fmt::format("the column '{}' {}", name, message));
  };
  std::size_t column = columns_.size();
  if (!by_number) {
    column = static_cast<std::size_t>(std::ranges::find(columns_.names, name) - columns_.names.begin());
  } else if (const std::optional<std::uint64_t> number = column_number(name); number && *number >= 1) {
    column = *number - 1;
  }
  if (column >= columns_.size()) {
    if (!by_number) {
      throw missing(fmt::format("is not in the header{}; the columns are {}", nearest(name, columns_.names),
                                listed(columns_.names)));
    }
    throw missing(fmt::format("isn't there: the input has {} columns", columns_.size()));
  }
  if (!by_number && std::ranges::count(columns_.names, name) > 1) throw missing("is in the header twice");
  if (taken_[column]) throw missing("has another purpose here");
  return column;
}

/// The only column that is called what labels are called, whatever it is taken for; none where there are more.
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
    columns_.label_reason = "by its name";
    return set_label(*called);
  }
  const auto last = std::find(taken_.rbegin(), taken_.rend(), false);
  if (last == taken_.rend()) throw input_error("there is no column left for the label");
  columns_.label_reason = last == taken_.rbegin() ? "the last column" : "the last column without another purpose";
  set_label(static_cast<std::size_t>(taken_.rend() - last) - 1);
}

/// The column that an option names, or none.
std::optional<std::size_t> Roles::find(const std::string& text, std::string_view option) const {
  const auto& names = columns_.names;
  const auto place = std::find(names.begin(), names.end(), text);
  if (place != names.end()) {
    if (std::find(place + 1, names.end(), text) == names.end()) return static_cast<std::size_t>(place - names.begin());
    throw option_error(std::string(option),
                       fmt::format("{{}} {}: more than one column is called so; give its number", text));
  }
  const std::optional<std::uint64_t> number = column_number(text);
  if (number && *number >= 1 && *number <= columns_.size()) return *number - 1;
  return std::nullopt;
}

void Roles::refuse(const std::string& text, std::string_view option) const {
  if (column_number(text)) {
    throw option_error(std::string(option),
                       fmt::format("{{}} {}: there is no such column, the input has {}", text, columns_.size()));
  }
  if (!columns_.header) {
    throw option_error(
        std::string(option),
        fmt::format("{{}} {}: without a header a column is given by its number, from 1 to {}", text, columns_.size()));
  }
  throw option_error(std::string(option), fmt::format("{{}} {}: there is no such column{}; the columns are {}", text,
                                                      nearest(text, columns_.names), listed(columns_.names)));
}

void Roles::set(std::size_t column, Role role, std::string_view option) {
  if (taken_[column]) {
    throw option_error(std::string(option),
                       fmt::format("{{}} {}: this column has another purpose already", columns_.argument(column)));
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

void Roles::set_label(std::size_t column) {
  set(column, Role::kLabel, "label");
  columns_.has_label = true;
}

void Roles::assign_label(bool by_name) {
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

}  // namespace linsep::csv

#include "format/csv/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "format/csv/fields.h"
#include "format/csv/header.h"
#include "format/csv/roles.h"
#include "linsep/tools/shown_text.h"

namespace linsep::csv {

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
  if (!header) return columns;
  for (const std::string& field : first_row) {
    const std::string name(trimmed(field));
    columns.names.push_back(name.empty() ? fmt::format("column {}", columns.names.size() + 1) : name);
  }
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

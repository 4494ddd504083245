// Rows of CSV exactly as they were written.
#include <algorithm>

#include "format/csv/parse.h"
#include "format/text/number.h"

namespace linsep::csv {

std::string label_text(const Field& field) {
  const std::string_view number = trimmed(field.text);
  double value = 0;
  if (parse_whole_number(number.data(), number.data() + number.size(), value)) return std::string(number);
  return field_text(field);
}

namespace {

void take(const Columns& columns, std::size_t column, const Field& field, WrittenRow& row) {
  switch (columns.role[column]) {
    case Role::kFeature: {
      WrittenValue& value = row.values[columns.feature[column]];
      value.column = columns.feature[column];
      value.decimal = trimmed(field.text);
      break;
    }
    case Role::kLabel:
      if (!row.label.empty()) row.label += ',';
      row.label += label_text(field);
      break;
    case Role::kId:
      row.id = field_text(field);
      break;
    case Role::kWeight:
    case Role::kIgnored:
      break;
  }
}

/// Whether the row is left out for want of this label.
bool is_dropped(const Layout& layout, std::size_t column, const Field& field) {
  return layout.missing.drop() && column < layout.columns.size() && layout.columns.role[column] == Role::kLabel &&
         layout.missing.is_missing(trimmed(field.text));
}

}  // namespace

std::vector<WrittenRow> written_rows(const Layout& layout, const Chunk& chunk, const std::vector<std::int64_t>& rows) {
  const char* end = chunk.text.data() + chunk.text.size();
  std::vector<WrittenRow> answer;
  auto asked = rows.begin();
  const char* at = skip_empty_lines(layout.syntax, chunk.text, chunk.text.data());
  for (std::int64_t number = 0; at != end && asked != rows.end();) {
    bool dropped = false;
    const bool wanted = *asked == number;
    WrittenRow row;
    row.row = number;
    if (wanted) row.values.resize(layout.columns.features);
    std::size_t column = 0;
    for (bool ends = false; !ends; ++column) {
      const Field field = read_field(layout.syntax, chunk.text, at);
      if (wanted && column < layout.columns.size()) take(layout.columns, column, field, row);
      dropped = dropped || is_dropped(layout, column, field);
      ends = field.end == end || *field.end == '\n';
      at = field.end == end ? end : field.end + 1;
    }
    if (wanted && !dropped) {
      ++asked;
      answer.push_back(std::move(row));
    }
    if (!dropped) ++number;
    at = skip_empty_lines(layout.syntax, chunk.text, at);
  }
  return answer;
}

}  // namespace linsep::csv

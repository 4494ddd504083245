// Fields of CSV as they stand in the text.
#include <algorithm>

#include "format/csv/parse.h"
#include "format/labels/missing.h"

namespace linsep::csv {
namespace {

bool drops_row(const Layout& layout, std::size_t column, const Field& field) {
  return layout.missing.drop() && column < layout.columns.size() && layout.columns.role[column] == Role::kLabel &&
         layout.missing.is_missing(trimmed(field.text));
}

}  // namespace

std::vector<std::string> raw_fields(const Layout& layout, const Chunk& chunk, std::span<const std::size_t> columns) {
  const char* end = chunk.text.data() + chunk.text.size();
  std::vector<std::string> all;
  std::vector<std::string> row(columns.size());
  const char* at = skip_empty_lines(layout.syntax, chunk.text, chunk.text.data());
  while (at != end) {
    bool dropped = false;
    std::size_t column = 0;
    for (bool ends = false; !ends; ++column) {
      const Field field = read_field(layout.syntax, chunk.text, at);
      for (std::size_t k = 0; k < columns.size(); ++k) {
        if (columns[k] == column) row[k] = field_text(field);
      }
      dropped = dropped || drops_row(layout, column, field);
      ends = field.end == end || *field.end == '\n';
      at = field.end == end ? end : field.end + 1;
    }
    if (!dropped) all.insert(all.end(), row.begin(), row.end());
    at = skip_empty_lines(layout.syntax, chunk.text, at);
  }
  return all;
}

}  // namespace linsep::csv

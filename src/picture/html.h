// HTML by hand, with text that stays text, and tables.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace linsep {

/// `text` for a place at which HTML expects text or an attribute's value in double quotes. Bytes that aren't UTF-8 and
/// characters that HTML has no place for become U+FFFD.
std::string html_text(std::string_view text);
/// A name that was given from outside. It is isolated from the text around it whatever its direction, and cut after 60
/// characters, with the whole in its title.
std::string html_name(std::string_view name);

/// A sentence, in which text between backticks is code.
std::string html_sentence(std::string_view text);

/// Bytes as base64.
std::string base64_text(std::string_view bytes);
/// A link that saves a JSON text under this name. The text is in the link.
std::string html_download(std::string_view name, std::string_view json);

/// "1,204" or "-5".
std::string html_count(std::int64_t number);
/// Six digits, or a dash if it isn't a number.
std::string html_number(double number);
std::string html_number(const std::optional<double>& number);

struct HtmlColumn {
  std::string name;
  bool number = true;
};

/// Rows of a table beyond this many are left out, with a note in its caption.
inline constexpr std::size_t kMostTableRows = 512;

/// A table of `rows` rows. `cell(row, column)` returns HTML. The first column heads its row. The element can be
/// scrolled by keyboard, so that a wide table keeps the page narrow.
std::string html_table(std::string_view caption, const std::vector<HtmlColumn>& columns, std::size_t rows,
                       const std::function<std::string(std::size_t, std::size_t)>& cell);

template <class Record>
struct HtmlField {
  std::string name;
  std::variant<double Record::*, std::int64_t Record::*> member;
};

/// A row for each record, a column for each of these numbers.
template <class Record>
std::string html_table(std::string_view caption, const std::vector<Record>& records,
                       const std::vector<HtmlField<Record>>& fields) {
  std::vector<HtmlColumn> columns;
  for (const auto& field : fields) columns.push_back({field.name});
  return html_table(caption, columns, records.size(), [&](std::size_t r, std::size_t c) {
    if (const auto* number = std::get_if<double Record::*>(&fields[c].member)) return html_number(records[r].**number);
    return html_count(records[r].*std::get<std::int64_t Record::*>(fields[c].member));
  });
}

}  // namespace linsep

// Fields of CSV: where one ends, what its text is, which newlines end a row, and which byte separates fields. See
// docs/reference/formats/csv.md.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/deadline.h"
#include "format/text/format.h"

namespace linsep::csv {

struct Syntax {
  char delimiter = ',';

  /// Blanks around a field aren't part of it.
  bool is_blank(char c) const { return (c == ' ' || c == '\t') && c != delimiter; }
};

struct Field {
  std::string_view text;  ///< without blanks around it. For a quoted field, everything between the quotes
  bool quoted = false;
  bool doubled = false;       ///< `text` has doubled quotes, each of which stands for one
  const char* end = nullptr;  ///< the delimiter or '\n' after the field, or the end of the text
};

/// Finds the first `c`, or `end`. Does the same as memchr, which some C libraries run byte by byte.
const char* find_byte(const char* from, const char* end, char c);

/// The field that begins at `at`. If its first byte, after blanks, is a quote, the field is quoted and may contain
/// delimiters and newlines. In every other field a quote is an ordinary byte. '\r' before the end of a line isn't part
/// of the field. Throws TextError for a quote that is never closed and for text after a closing quote. REQUIRES: `at`
/// points into `text` or just past its last byte.
Field read_field(const Syntax& syntax, std::string_view text, const char* at);

/// Calls `f(field)` for each field from `at` to the end of the row, and moves `at` past its '\n'.
template <class F>
void for_each_field(const Syntax& syntax, std::string_view text, const char*& at, F&& f) {
  const char* end = text.data() + text.size();
  for (bool ends = false; !ends;) {
    const Field field = read_field(syntax, text, at);
    poll(20 + field.text.size());
    f(field);
    ends = field.end == end || *field.end == '\n';
    at = field.end == end ? end : field.end + 1;
  }
}

/// The text that the field stands for, with doubled quotes made single.
std::string field_text(const Field& field);

/// `text` without blanks at both ends.
std::string_view trimmed(std::string_view text);

/// All fields from `at` to the end of the row. Moves `at` past its '\n'.
std::vector<std::string> read_record(const Syntax& syntax, std::string_view text, const char*& at);

/// The first byte at or after `at` that isn't part of an empty line (one with nothing but blanks). REQUIRES: `at` is a
/// row's beginning.
const char* skip_empty_lines(const Syntax& syntax, std::string_view text, const char* at);

/// Implements TextFormat::whole_rows.
std::size_t whole_rows(const Syntax& syntax, std::string_view text);

/// Makes the error at position `at` of a chunk's text.
TextError error_at(std::string_view text, const char* at, std::string message);

/// A field's text for a message: cut if long, with everything but visible ASCII and blanks escaped, or "nothing".
std::string shown_field(std::string_view text);

/// Returns a comma if the first record has one. Otherwise, returns the first of ';', tab and '|' that gives all records
/// the same number of fields, more than one. If none does, returns a comma. `text` is the beginning of the input after
/// a byte-order mark. At most its first 65,536 bytes are read, and if it is longer, only whole records among them.
char find_delimiter(std::string_view text);

/// Throws TextError for a text that begins like UTF-16 or UTF-32.
void refuse_wide_text(std::string_view text);

}  // namespace linsep::csv

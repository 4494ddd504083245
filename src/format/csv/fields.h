// Fields of CSV: where one ends, what it says, which newlines end a row, and which byte stands between fields. See
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

  /// Blanks around a field don't belong to it.
  bool is_blank(char c) const { return (c == ' ' || c == '\t') && c != delimiter; }
};

struct Field {
  std::string_view text;  ///< without blanks around it; of a quoted field all that stands between the quotes
  bool quoted = false;
  bool doubled = false;       ///< `text` has doubled quotes, each of which means one
  const char* end = nullptr;  ///< the delimiter or '\n' behind the field, or the end of the text
};

/// The first `c`, or `end`: memchr, which some C libraries do byte by byte.
const char* find_byte(const char* from, const char* end, char c);

/// The field that begins at `at`. A field whose first byte, blanks apart, is a quote is quoted and may hold delimiters
/// and newlines; in every other field a quote is a byte like any other. '\r' before the end of a line isn't part of
/// the field. Throws TextError for a quote that is never closed and for text behind a closing quote.
/// REQUIRES: `at` points into `text` or behind its last byte.
Field read_field(const Syntax& syntax, std::string_view text, const char* at);

/// Calls `f(field)` for each field from `at` to the end of the row; `at` is moved behind its '\n'.
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

/// What the field says: doubled quotes are made single.
std::string field_text(const Field& field);

/// `text` without blanks at both ends.
std::string_view trimmed(std::string_view text);

/// All fields from `at` to the end of the row; `at` is moved behind its '\n'.
std::vector<std::string> read_record(const Syntax& syntax, std::string_view text, const char*& at);

/// The first byte from `at` on that doesn't belong to an empty line (one of nothing but blanks).
/// REQUIRES: `at` is a row's beginning.
const char* skip_empty_lines(const Syntax& syntax, std::string_view text, const char* at);

/// TextFormat::whole_rows.
std::size_t whole_rows(const Syntax& syntax, std::string_view text);

/// The error at position `at` of a chunk's text.
TextError error_at(std::string_view text, const char* at, std::string message);

/// A field's text in a message: cut when long, with everything but visible ASCII and blanks escaped; "nothing".
std::string shown_field(std::string_view text);

/// A comma if the first record has one; else of ';', tab and '|' the first that gives all records the same number of
/// fields, more than one; else a comma. `text` is the beginning of the input behind a byte-order mark: of more than
/// 65,536 bytes only so many are looked at, and of those only whole records.
char find_delimiter(std::string_view text);

/// Throws TextError for a text that begins as UTF-16 or UTF-32 does.
void refuse_wide_text(std::string_view text);

}  // namespace linsep::csv

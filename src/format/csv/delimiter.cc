#include "format/csv/delimiter.h"

#include <cstddef>

#include "format/csv/fields.h"

namespace linsep::csv {
namespace {

constexpr std::size_t kLookedAt = 65536;

/// The number of fields that all records have; 0 where they don't agree or can't be read. `one`: only the first.
std::size_t fields_of(std::string_view text, char delimiter, bool one) {
  const Syntax syntax{delimiter};
  const char* end = text.data() + text.size();
  std::size_t all = 0;
  try {
    for (const char* at = skip_empty_lines(syntax, text, text.data()); at != end;) {
      std::size_t fields = 0;
      for (bool ends = false; !ends; ++fields) {
        const Field field = read_field(syntax, text, at);
        ends = field.end == end || *field.end == '\n';
        at = field.end == end ? end : field.end + 1;
      }
      if (one) return fields;
      if (all != 0 && fields != all) return 0;
      all = fields;
      at = skip_empty_lines(syntax, text, at);
    }
  } catch (const TextError&) {
    return 0;
  }
  return all;
}

}  // namespace

char find_delimiter(std::string_view text) {
  if (fields_of(text.substr(0, kLookedAt), ',', true) > 1) return ',';
  for (const char delimiter : {';', '\t', '|'}) {
    std::string_view records = text.substr(0, kLookedAt);
    const std::size_t whole = whole_rows({delimiter}, records);
    if (whole > 0) records = records.substr(0, whole);
    if (fields_of(records, delimiter, false) > 1) return delimiter;
  }
  return ',';
}

void refuse_wide_text(std::string_view text) {
  using namespace std::string_view_literals;
  if (text.starts_with("\xff\xfe"sv) || text.starts_with("\xfe\xff"sv) || text.starts_with("\0\0\xfe\xff"sv)) {
    throw TextError{0, 1, "this is UTF-16 or UTF-32; store it as UTF-8 (iconv -f UTF-16 -t UTF-8)"};
  }
}

}  // namespace linsep::csv

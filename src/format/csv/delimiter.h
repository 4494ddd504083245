// Which byte stands between the fields of a text, where nobody says so. See docs/formats/csv.md.
#pragma once

#include <string_view>

namespace linsep::csv {

/// A comma if the first record has one; else of ';', tab and '|' the first that gives all records the same number of
/// fields, more than one; else a comma. `text` is the beginning of the input behind a byte-order mark: of more than
/// 65,536 bytes only so many are looked at, and of those only whole records.
char find_delimiter(std::string_view text);

/// Throws TextError for a text that begins as UTF-16 or UTF-32 does.
void refuse_wide_text(std::string_view text);

}  // namespace linsep::csv

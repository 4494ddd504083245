// Numbers in the style of their column, and what is said of a table's fields that don't fit their columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bytes/number.h"
#include "format/csv/parse.h"
#include "table/encode.h"
#include "table/number_style.h"

namespace linsep::csv {

/// A field that is a number in this style and nothing else. The fault is never kNone where something is left; `end` is
/// the field's beginning or end.
NumberEnd read_decimal(std::string_view field, const NumberStyle& style, double& value);

/// The style of a column's numbers; `decimal` is the table's sign.
NumberStyle style_of_column(const AskedColumn& asked, char decimal);

/// "expected a number in column 'age' (as in the first 11,264 rows), found '4O'; use {} 4O, {} age or {} age",
/// with the options that "{}" stands for.
struct Misfit {
  std::string message;
  std::vector<std::string> options;
};

/// What is wrong with a field of a feature's column, and what would help. REQUIRES: layout.table.
Misfit misfit_in_table(const Layout& layout, const Field& field, std::size_t column);

/// The same of a number in a file whose first `layout.looked_at` rows had numbers only.
Misfit misfit_of_number(const Layout& layout, const Field& field, std::size_t column);

/// Fields of a sample that aren't the numbers or dates that nearly all others of their column are.
struct OddFields {
  std::size_t column = 0;
  AskedColumn asked;             ///< what the others are
  std::size_t fine = 0, of = 0;  ///< how many of so many values
  std::vector<std::string_view> texts;
  std::vector<std::string> places;  ///< of each: "line 17"
};

/// What is said of them, and what would help.
Misfit misfit_in_sample(const Columns& columns, const TableColumns& table, const OddFields& odd);

/// An error is about so many columns at most; what it says of the others: "; and 3 more columns", or "".
inline constexpr std::size_t kMostMisfits = 8;
std::string more_misfits(std::size_t columns);

/// A "{}" of the data would stand for an option.
std::string without_braces(std::string text);

/// A word as it may stand in a command line: as it is, or in quotes.
std::string as_argument(std::string_view word);

}  // namespace linsep::csv

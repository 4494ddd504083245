// Reads numbers in the style of their column, and describes a table's fields that don't fit their columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bytes/number.h"
#include "format/csv/parse.h"
#include "table/encode.h"
#include "table/number_style.h"

namespace linsep::csv {

/// Reads a field that is a number in this style and nothing else. The fault is never kNone if something is left over.
/// `end` is the field's beginning or end.
NumberEnd read_decimal(std::string_view field, const NumberStyle& style, double& value);

/// The style of a column's numbers. `decimal` is the table's decimal sign.
NumberStyle style_of_column(const AskedColumn& asked, char decimal);

/// "expected a number in column 'age' (as in the first 11,264 rows), found '4O'; use {} 4O, {} age or {} age", with the
/// options for each "{}".
struct Misfit {
  std::string message;
  std::vector<std::string> options;
};

/// What is wrong with a field of a feature's column, and what would help. REQUIRES: layout.table.
Misfit misfit_in_table(const Layout& layout, const Field& field, std::size_t column);

/// The same for a number in a file whose first `layout.looked_at` rows had only numbers.
Misfit misfit_of_number(const Layout& layout, const Field& field, std::size_t column);

/// Fields of a sample that aren't numbers or dates, although nearly all others of their column are.
struct OddFields {
  std::size_t column = 0;
  AskedColumn asked;             ///< what the others are
  std::size_t fine = 0, of = 0;  ///< how many of how many values fit
  std::vector<std::string_view> texts;
  std::vector<std::string> places;  ///< of each: "line 17"
};

/// Describes them, and what would help.
Misfit misfit_in_sample(const Columns& columns, const TableColumns& table, const OddFields& odd);

/// An error describes at most this many columns. `more_misfits` mentions the others: "; and 3 more columns", or "".
inline constexpr std::size_t kMostMisfits = 8;
std::string more_misfits(std::size_t columns);

/// Removes any "{}" in the data, which would stand for an option.
std::string without_braces(std::string text);

/// A word as a command line needs it, in quotes if necessary.
std::string as_argument(std::string_view word);

}  // namespace linsep::csv

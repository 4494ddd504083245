// Numbers with either decimal sign, and what is said of a table's fields that don't fit their columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "format/csv/parse.h"
#include "format/text/number.h"

namespace linsep::csv {

/// A field that is a number and nothing else; `decimal` is '.' or ','. The fault is never kNone where something is
/// left.
NumberEnd read_decimal(std::string_view field, char decimal, double& value);

/// The field with a point for its decimal sign. REQUIRES: it is a number with this sign.
std::string with_point(std::string_view field, char decimal);

/// "expected a number in column 'age' (so it was in the first 11,264 rows), found '4O'; say {} 4O, {} age or {} age",
/// with the options that "{}" stands for.
struct Misfit {
  std::string message;
  std::vector<std::string> options;
};

/// What is wrong with a field of a feature's column, and what would help. REQUIRES: layout.table.
Misfit misfit_in_table(const Layout& layout, const Field& field, std::size_t column);

/// The same of a number in a file whose first `layout.looked_at` rows had numbers only.
Misfit misfit_of_number(const Layout& layout, const Field& field, std::size_t column);

/// A word as it may stand in a command line: as it is, or in quotes.
std::string as_argument(std::string_view word);

}  // namespace linsep::csv

// TableBatch holds some rows of a table, column by column, as readers of CSV and Arrow hand them to fitting and
// encoding.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace linsep {

/// The fields of one column, borrowed. A number column fills `number`, category and text fill `text`, a date fills
/// `seconds`, and a vector fills `number` with all its numbers row after row.
struct TableColumn {
  std::span<const double> number;          ///< the double nearest to what is written
  std::span<const std::string_view> text;  ///< also the decimal of a number, if it is requested as written
  std::span<const std::int64_t> seconds;   ///< since 1970-01-01 00:00, local time as written
  std::span<const std::uint8_t> missing;   ///< 1 for a missing value, whose field isn't read. Empty if there is none
};

/// REQUIRES: one column for each requested one (TableEncoder::columns, TableFitter's plan), in that order, each of
/// `rows` rows.
struct TableBatch {
  std::int64_t rows = 0;
  std::vector<TableColumn> columns;
};

}  // namespace linsep

// TableBatch: some rows of a table, column by column, as readers of CSV and Arrow hand them to fitting and encoding.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace linsep {

/// The fields of one column, borrowed. Of a number column `number` is filled, of category and text `text`, of a date
/// `seconds`, of a vector `number` with as many for each row as the vector has.
struct TableColumn {
  std::span<const double> number;          ///< the double nearest to what is written
  std::span<const std::string_view> text;  ///< also of a number, where what is written is asked for: its decimal
  std::span<const std::int64_t> seconds;   ///< since 1970-01-01 00:00, local time as written
  std::span<const std::uint8_t> missing;   ///< 1 for a hole, whose value isn't looked at; empty: there is none
};

/// REQUIRES: one column for each that was asked for (TableEncoder::columns, TableFitter's plan), in that order, each of
/// `rows` rows.
struct TableBatch {
  std::int64_t rows = 0;
  std::vector<TableColumn> columns;
};

}  // namespace linsep

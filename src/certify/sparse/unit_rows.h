// UnitRows: z_i/‖z_i‖ of many rows in floating point, sparse, one after the other. A plain value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace linsep {

struct UnitRows {
  std::uint32_t columns = 0;  ///< every column is below this
  std::vector<std::size_t> begin = {0};
  std::vector<std::uint32_t> column;
  std::vector<double> value;
  std::vector<std::int64_t> number;  ///< of each row
  std::vector<double> norm;          ///< ‖z_i‖

  std::size_t size() const { return number.size(); }
  std::size_t entries() const { return column.size(); }
  std::span<const std::uint32_t> columns_of(std::size_t i) const {
    return std::span(column).subspan(begin[i], begin[i + 1] - begin[i]);
  }

  /// Ends the row whose entries were pushed last: brings it to length 1. A row of zeros, or one whose length leaves the
  /// range of doubles, isn't taken in.
  void end_row(std::int64_t row_number);
};

/// The rows chosen (indices), with the columns that they use numbered anew in ascending order.
UnitRows restricted(const UnitRows& rows, std::span<const std::size_t> chosen);

/// Indices of the rows that sign peeling leaves (sign_peeling.h): a row with an entry in a column that has one sign on
/// all rows left can't be part of a witness.
std::vector<std::size_t> peeled(const UnitRows& rows, std::span<const std::size_t> chosen);

/// All rows, those whose rarest column is most frequent first: the first of them use few columns.
std::vector<std::size_t> by_rarest_column(const UnitRows& rows);

}  // namespace linsep

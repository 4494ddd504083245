// Sample: the first rows of a table. TablePlan: what its columns are taken for by them, before all rows are gone
// through.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/csv/columns.h"
#include "format/csv/fields.h"
#include "linsep/read.h"
#include "linsep/table/fit.h"
#include "table/fitter.h"

namespace linsep {

/// As many bytes as are looked at.
inline constexpr std::size_t kSampleBytes = std::size_t{1} << 20;

/// The whole rows within the first kSampleBytes bytes; two lines at least, where there are two. What is in it depends
/// on the bytes alone. A row that can't be read, or has another number of fields than the first, ends it: reading
/// tells.
struct Sample {
  Sample() = default;
  Sample(const Sample&) = delete;
  Sample& operator=(const Sample&) = delete;

  std::string name;         ///< of the input, for messages
  bool has_columns = true;  ///< false: rows of svmlight, and there is nothing else here
  std::string text;
  csv::Syntax syntax;
  std::vector<std::string_view> first;                 ///< the fields of the first row
  std::vector<std::vector<std::string_view>> columns;  ///< the fields below it, column by column
  bool whole = false;                                  ///< these are all rows that the input has
  std::vector<std::optional<PlannedColumn>> typed;     ///< what an input that has types says of each column; or empty
  std::deque<std::string> unquoted;                    ///< what some of the fields are views of

  std::int64_t rows_below() const { return columns.empty() ? 0 : static_cast<std::int64_t>(columns[0].size()); }
};

struct TablePlan {
  bool numbers_only = false;  ///< all features are numbers that are taken as they are: nothing need be fitted
  csv::Columns columns;       ///< of the table, all that could be features being features
  std::vector<PlannedColumn> planned;
  std::vector<std::size_t> place;            ///< of each planned column in the table
  std::shared_ptr<csv::TableColumns> table;  ///< how their fields are read
  bool whole = false;                        ///< the rows looked at are all there are
  std::vector<bool> typed;                   ///< of each planned column: its type says what it is
  TableAccount account;                      ///< as far as it is known
};

/// Throws a usage Error for columns that aren't there, an input Error where a number or date can be read in
/// two ways, or where some fields aren't the numbers or dates that nearly all others of their column are.
TablePlan plan_table(const Sample& sample, const ReadOptions& options, const TableSpec& spec);

}  // namespace linsep

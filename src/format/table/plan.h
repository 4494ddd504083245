// Sample has the first rows of a table. TablePlan is what they show about its columns, before all rows are gone
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

/// How many bytes are looked at.
inline constexpr std::size_t kSampleBytes = std::size_t{1} << 20;

/// The whole rows within the first kSampleBytes bytes, but at least two lines if there are two. Its contents depend on
/// the bytes alone. A row that can't be read, or that has another number of fields than the first, ends it. Reading
/// reports the error.
struct Sample {
  Sample() = default;
  Sample(const Sample&) = delete;
  Sample& operator=(const Sample&) = delete;

  std::string name;         ///< of the input, for messages
  bool has_columns = true;  ///< false for rows of svmlight. The rest is then empty
  std::string text;
  csv::Syntax syntax;
  std::vector<std::string_view> first;                 ///< the fields of the first row
  std::vector<std::vector<std::string_view>> columns;  ///< the fields below it, column by column
  bool whole = false;                                  ///< these are all rows of the input
  std::vector<std::optional<PlannedColumn>> typed;     ///< the kind of each column if the input has types, or empty
  std::deque<std::string> unquoted;                    ///< some of the fields are views of these

  std::int64_t rows_below() const { return columns.empty() ? 0 : static_cast<std::int64_t>(columns[0].size()); }
};

struct TablePlan {
  bool numbers_only = false;  ///< all features are numbers that are taken as they are, so nothing needs fitting
  csv::Columns columns;       ///< of the table, with all that could be features as features
  std::vector<PlannedColumn> planned;
  std::vector<std::size_t> place;            ///< of each planned column in the table
  std::shared_ptr<csv::TableColumns> table;  ///< how their fields are read
  bool whole = false;                        ///< the sample has all rows
  std::vector<bool> typed;                   ///< of each planned column: its type determines its kind
  TableAccount account;                      ///< as far as it is known
};

/// Throws a usage Error for columns that don't exist. Throws an input Error if a number or date can be read in two
/// ways, or if some fields aren't the numbers or dates that nearly all others of their column are.
TablePlan plan_table(const Sample& sample, const ReadOptions& options, const TableSpec& spec);

}  // namespace linsep

// TablePlan: what the columns of a table are taken for, before all rows are gone through.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "format/csv/columns.h"
#include "format/csv/table_columns.h"
#include "format/table/sample.h"
#include "linsep/table/fit.h"
#include "table/fitter.h"

namespace linsep {

struct TablePlan {
  bool numbers_only = false;  ///< all features are numbers that are taken as they are: nothing need be fitted
  csv::Columns columns;       ///< of the table, all that could be features being features
  std::vector<PlannedColumn> planned;
  std::vector<std::size_t> place;            ///< of each planned column in the table
  std::shared_ptr<csv::TableColumns> table;  ///< how their fields are read
  TableAccount account;                      ///< as far as it is known
};

/// Throws a usage Error for columns that aren't there, an input Error where a number can be read in two ways.
TablePlan plan_table(const Sample& sample, const ReadOptions& options, const TableSpec& spec);

/// The decimal sign of the sample's numbers: a comma only where it isn't the delimiter, some field reads 12,5, and no
/// number has a point. Throws an input Error where all such fields could have thousands signs instead: 1,234.
char find_decimal(const Sample& sample);

}  // namespace linsep

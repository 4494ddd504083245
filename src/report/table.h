// What was made of a table's columns, and how rows differ from those that a model's table was fitted on. They may have
// values never seen, missing values, or no feature.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "linsep/comm.h"
#include "linsep/model.h"
#include "linsep/table/fit.h"
#include "report/json.h"

namespace linsep {
Json account_json(const TableAccount& account);

struct Skew {
  struct Column {
    std::string name;
    std::int64_t unseen = 0, holes = 0;  ///< rows
    bool complete = true;                ///< no value was missing in training
  };
  std::int64_t rows = 0;
  std::int64_t nothing = 0;  ///< rows that encode to nothing
  std::vector<Column> columns;
};

/// To be filled while rows are read. Nothing if the model has no table.
std::shared_ptr<TableCounts> counts_for(const Model& model);

/// The differences over all workers. A collective call, after all rows were read. `counts` may be null.
Skew skew_of(const Model& model, const TableCounts* counts, Comm& comm);

/// {"rows", "nothing", "columns": [{"column", "unseen", "holes"}]}.
Json skew_json(const Skew& skew);
/// A line for each column with a value not seen or a hole, or "" if there is none.
std::string skew_words(const Skew& skew);
/// Sentences about columns that aren't as they were in training. More than a tenth of the rows have a value not seen
/// there, or none though all had one there, or no row has one. Also about rows without any known feature.
std::vector<std::string> skew_warnings(const Skew& skew);

}  // namespace linsep

// From what was counted of a table's rows to its map and the account of it.
#pragma once

#include <string>

#include "format/table/label_counts.h"
#include "format/table/plan.h"
#include "linsep/comm.h"
#include "linsep/table/fit.h"
#include "table/fitter.h"

namespace linsep {

/// `name` is that of the input, for messages. A collective call. Throws an input Error where no column is left.
FittedTable finish_fit(const TablePlan& plan, const ReadOptions& options, const TableSpec& spec, TableFitter& fitter,
                       const LabelCounts& label_counts, const std::string& name, Comm& comm);

}  // namespace linsep

// Fitting a planned table: rows from any source are counted by any number of threads, and the map is made of the
// counts.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "format/table/plan.h"
#include "format/text/format.h"
#include "linsep/comm.h"
#include "linsep/read.h"
#include "linsep/table/fit.h"
#include "table/table_batch.h"

namespace linsep {

/// Counts some rows: their features, their place (see TableFitter::take), and a page with their labels. From any
/// thread.
using CountRows = std::function<void(const TableBatch& rows, std::uint64_t place, const ParsedPage& page)>;

/// `go_through` hands all rows of this worker to its argument. It is called once more where `whole` is false (the plan
/// rests on some rows only) and nearly all values of a column turn out to be numbers or dates: to count them again
/// tells the first that isn't. `name` is that of the input, for messages. A collective call. Throws an input Error
/// where no column is left.
FittedTable fit_planned(TablePlan& plan, const ReadOptions& options, const TableSpec& spec, bool whole,
                        const std::string& name, Comm& comm, const std::function<void(const CountRows&)>& go_through);

}  // namespace linsep

// Fits a planned table. Any number of threads count rows from any source, and the map is made from the counts.
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

/// Counts some rows: their features, their place (see TableFitter::take), and a page with their labels. May be called
/// from any thread.
using CountRows = std::function<void(const TableBatch& rows, std::uint64_t place, const ParsedPage& page)>;

/// `go_through` hands all rows of this worker to its argument. It is called a second time if `whole` is false (the plan
/// relies on some rows only) and nearly all values of a column turn out to be numbers or dates. The second count
/// reports the first value that isn't one. `name` is that of the input, for messages. Throws an input Error if no
/// column is left. A collective call.
FittedTable fit_planned(TablePlan& plan, const ReadOptions& options, const TableSpec& spec, bool whole,
                        const std::string& name, Comm& comm, const std::function<void(const CountRows&)>& go_through);

}  // namespace linsep

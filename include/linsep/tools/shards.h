// Rows that reach each worker from elsewhere, as in the tasks of a Spark stage. By rank they are one data set.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "linsep/batch.h"
#include "linsep/comm.h"
#include "linsep/progress.h"
#include "linsep/read.h"
#include "linsep/source.h"
#include "linsep/table/arrow.h"
#include "linsep/table/fit.h"

namespace linsep {

/// Rows as they arrive, borrowed until the next are asked for.
struct ArrivingRows {
  Batch rows = {};                            ///< `label` has numbers as written, or indices into `label_words`
  std::vector<std::string> label_words = {};  ///< empty if labels are numbers
  std::vector<std::string> ids = {};          ///< names of the rows, or empty if they have none
};
/// The next rows of this worker, or nothing at their end.
using NextRows = std::function<std::optional<ArrivingRows>()>;

/// Reads this worker's rows to their end and makes one data set of the rows of all workers, in the order of the ranks.
/// They are checked as by `check_rows`, they all have one layout and type of values, on every worker, and they are
/// copied.
///
/// A worker may have no rows. Rows lie in memory as long as those of each worker take at most half of what
/// `options.memory` leaves to the process (0 for always). Otherwise every worker writes its rows to a page file without
/// a name in `folder` ("" for that of temporary files), of which few pages are in memory at once.
///
/// The options that count are those of classes, labels, features and their names, with `double_values`, `threads`,
/// `memory` and `interrupt`. A collective call. Bad input is the same Error on all workers, the one of the lowest rank.
std::unique_ptr<Source> load_shard(const NextRows& next, const ReadOptions& options, const std::string& folder,
                                   Comm& comm, const Observer& observe = {});

/// The same for a stream of raw columns, which `options.table` encodes. Takes the stream over.
std::unique_ptr<Source> load_shard(ArrowArrayStream* own, const ReadOptions& options, const std::string& folder,
                                   Comm& comm, const Observer& observe = {});

/// Like `fit_table`, for the rows of all workers. `sample` is the first rows of all, the same on every worker. `whole`
/// means that there are no more. `own` is this worker's rows, with the same columns, and may have none. A collective
/// call.
FittedTable fit_table_shard(const ArrowTable& sample, bool whole, const ArrowTable& own, const ReadOptions& options,
                            const TableSpec& spec, Comm& comm);

}  // namespace linsep

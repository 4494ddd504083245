// Rows that reach each worker from elsewhere, as in the tasks of a Spark stage: by rank they are one data set.
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

namespace linsep {

/// Rows as they arrive, borrowed until the next are asked for.
struct ArrivingRows {
  Batch rows;                            ///< `label`: numbers as written, or places in `label_words`
  std::vector<std::string> label_words;  ///< empty: labels are numbers
  std::vector<std::string> ids;          ///< names of the rows; empty: they have none
};
/// The next rows of this worker; nothing at their end.
using NextRows = std::function<std::optional<ArrivingRows>()>;

/// Reads this worker's rows to their end and makes one data set of the rows of all workers, in the order of the ranks.
/// They are checked as by `check_rows`, all have one layout and type of values, on every worker, and they are copied.
///
/// A worker may have no rows. Rows lie in memory as long as those of each worker take at most half of what
/// `options.memory` leaves to the process (0: always). Otherwise every worker writes its rows to a page file without a
/// name in `folder` ("": that for temporary files), of which few pages are in memory at once.
/// Of the options, those of classes, labels, features and their names count, with `double_values`, `threads`, `memory`
/// and `interrupt`. A collective call. Bad input is the same Error on all workers, that of the lowest rank.
std::unique_ptr<Source> load_shard(const NextRows& next, const ReadOptions& options, const std::string& folder,
                                   Comm& comm, const Observer& observe = {});

}  // namespace linsep

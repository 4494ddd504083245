// FinderState: what the finder's phases hand on to each other. A plain value, but for what its parts promise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "certify/finder/live_rows.h"
#include "certify/finder/sign_round.h"
#include "certify/row_scaling.h"
#include "linsep/limits.h"
#include "linsep/model.h"
#include "linsep/source.h"

namespace linsep {

struct FinderOptions {
  bool origin = false;
  FeatureMap map;
  /// Rows of this worker as they were written.
  std::function<std::vector<WrittenRow>(std::span<const std::int64_t>)> written;
  /// The source was binary: a batch's values are the exact values.
  bool binary = false;
  /// Beyond this many columns of the core there is no working set and no dense exact arithmetic.
  std::size_t most_columns = 2048;
  /// Asked now and then between the steps of long work; may be empty. Several workers must hear the same answer.
  StopFunction stop;
  /// Polled within steps (core/poll.h); empty where several workers must stay in step or a pass must be whole.
  StopFunction stop_within;

  bool wants_to_stop() const { return stop && stop(); }
};

struct FinderState {
  FinderOptions options;
  RowScaling scaling;  ///< its space from the beginning, its scales once the survey has ended
  LiveRows rows;       ///< of this worker
  SignRound signs;

  // Of all workers, once the survey has ended; of this worker's rows so far before.
  std::int64_t first_of_class[2] = {-1, -1};
  std::int64_t zero_row = -1;  ///< the first row of zeros, through the origin

  // Of all workers, once the survey has ended.
  std::int64_t row_count = 0;
  /// Pairs of rows that conflict, not yet checked exactly.
  std::vector<std::pair<std::int64_t, std::int64_t>> conflicts;
};

}  // namespace linsep

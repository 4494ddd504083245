// What rows say that a fold's training didn't see.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/calibrate.h"
#include "learn/margin/losses.h"
#include "linsep/select.h"
#include "train/select/survey.h"

namespace linsep {

/// Rows of all workers with a mistake, as `evaluate` counts them. `score` holds this worker's, of the first classifier
/// for all rows, then of the second, … A collective call.
std::int64_t count_mistakes(const RowSurvey& survey, std::span<const double> score, Comm& comm);

/// Error and loss of rows scored by classifiers that didn't see them. Of several classes the error is that of the
/// greatest score; of label columns it is the mean over them, as the loss is of all classifiers. `fold` is by row,
/// `score` as above. The same bits for any number of workers; a collective call.
HeldOut summarise_held_out(const RowSurvey& survey, std::span<const std::uint16_t> fold, std::int64_t folds,
                           std::span<const double> score, Loss loss, const ClassWeights& classes, Comm& comm);

/// All workers' rows as the calibration of classifier number `part` wants them, with their own weights. A collective
/// call.
std::vector<ScoredRow> scored_rows(const RowSurvey& survey, std::span<const double> score, std::size_t part,
                                   Comm& comm);

}  // namespace linsep

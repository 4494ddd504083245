// What rows say that a fold's training didn't see.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/calibrate.h"
#include "learn/margin/losses.h"
#include "linsep/select.h"

namespace linsep {

/// What selection must know of the rows, by row number less `first_row`.
struct RowSurvey {
  std::int64_t first_row = 0;
  std::vector<std::uint8_t> positive;
  std::vector<double> weight;  ///< empty: every row weighs 1
  double square = 0;           ///< mean squared distance from the mean, or from 0 where `origin`

  double weight_of(std::size_t row) const { return weight.empty() ? 1 : weight[row]; }
};

/// One pass over the rows. Throws an input Error for labels that aren't −1 and +1.
RowSurvey survey_rows(Source& rows, bool origin);

/// Weights that the objective gives the classes, on top of the rows' own.
struct ClassWeights {
  double positive = 1, negative = 1;
};

/// Σ weight of the rows, classes' weights included.
double total_weight(const RowSurvey& survey, const ClassWeights& classes);

/// Sums over rows in their order: the scores alone decide the bits. `score` and `fold` are by row.
HeldOut summarise_held_out(const RowSurvey& survey, std::span<const std::uint16_t> fold, std::int64_t folds,
                           std::span<const double> score, Loss loss, const ClassWeights& classes);

/// The rows as calibration wants them, with their own weights.
std::vector<ScoredRow> scored_rows(const RowSurvey& survey, std::span<const double> score);

}  // namespace linsep

// Sums over rows that judge a model's probabilities.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/exact_sum.h"
#include "linsep/comm.h"
#include "linsep/model.h"
#include "linsep/train.h"

namespace linsep {

/// Sums over rows, which don't depend on their order or on who added them up.
struct EvaluationSums {
  ExactSum squares, log_loss, brier;
  std::array<ExactSum, 10> predicted;

  void exact_all_reduce(Comm& comm);
};

/// A row of two classes with score z.
void count_probability(ProbabilityEvaluation& result, EvaluationSums& sums, const Calibration& calibration, double y,
                       double z);
/// A row of several classes: its scores, and the index of its own class.
void count_probability(EvaluationSums& sums, const Model& model, std::size_t own, std::span<const double> z);

/// Sums become means, over `rows` rows.
void finish_probabilities(ProbabilityEvaluation& result, const EvaluationSums& sums, std::int64_t rows);

/// Rows by score in ten bins of about as many rows; where places hold several scores, a row's probability is the middle
/// of its place's.
std::vector<ProbabilityEvaluation::Bin> equal_count_bins(const ScoreCounts& counts, const Calibration& calibration);

}  // namespace linsep

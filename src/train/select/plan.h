// What a selection is to do, as far as options say it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "learn/margin/losses.h"
#include "linsep/select.h"

namespace linsep {

struct SelectionPlan {
  Options options;  ///< of the learner, complete
  Loss loss = Loss::kHinge;
  bool origin = false;
  std::uint64_t seed = 1;
  std::int64_t folds = 0;
  bool own_lambda = false;
  bool by_loss = false;
  /// How many λ may be tried beyond those asked for, where the best stands at an end of a grid: 0 where each was
  /// listed.
  std::size_t most_added = 0;
  std::string lambdas, cs, probabilities;
};

/// Throws a usage Error where the two sets of options don't fit each other.
SelectionPlan plan_selection(const TrainSpec& spec, const Options& selection);

/// Whether the λ to try depend on how far the rows lie from each other.
bool wants_square(const SelectionPlan& plan);
/// The λ to try, descending: those listed, or what suits rows of this square and weight (RowSurvey, total_weight).
std::vector<double> lambdas_of(const SelectionPlan& plan, double square, double weight);

}  // namespace linsep

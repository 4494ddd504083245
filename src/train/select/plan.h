// What a selection is to do, as far as options say it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "learn/margin/losses.h"
#include "linsep/select.h"
#include "train/select/held_out.h"

namespace linsep {

struct SelectionPlan {
  Options options;  ///< of the learner, complete
  Loss loss = Loss::kHinge;
  ClassWeights classes;
  bool origin = false;
  std::uint64_t seed = 1;
  std::int64_t folds = 0;
  bool own_lambda = false;
  bool by_loss = false;
  std::string lambdas, cs, probabilities;
};

/// Throws a usage Error where the two sets of options don't fit each other.
SelectionPlan plan_selection(const TrainSpec& spec, const Options& selection);

/// The λ to try, descending: those listed, or what suits the rows.
std::vector<double> lambdas_of(const SelectionPlan& plan, const RowSurvey& survey);

}  // namespace linsep

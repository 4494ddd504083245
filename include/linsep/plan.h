// TrainPlan is what `fit` is going to do, decided before any training.
#pragma once

#include <cstdint>

#include "linsep/learner_info.h"
#include "linsep/train.h"

namespace linsep {

struct TrainPlan {
  const LearnerInfo* learner = nullptr;  ///< lives as long as the program
  Options options;                       ///< complete
  FeatureMap map;
  Shape shape;            ///< of the rows as they come, with several workers this worker's
  Shape mapped;           ///< of the rows as the learner sees them, after the feature map
  std::size_t parts = 0;  ///< classifiers trained together, one per class or label column, or 0 for a single one
  bool joint = false;     ///< the parts are one learner, corrected together, not one against the rest
  SolverChoice choice;    ///< made on `mapped`
  VisitOrder order = VisitOrder::kGiven;
  bool certifies = false;   ///< the rows are proven separable first, and the margin afterwards (hard margin)
  std::int64_t passes = 0;  ///< at most
  std::uint64_t bytes = 0;  ///< that the learner keeps besides the rows, at most
  int workers = 1;
};

/// Checks the spec against the data's shape and labels, and decides all that `fit` decides before its first pass. `fit`
/// carries out exactly this. Looks at no row. Throws a usage Error if the learner refuses the task.
TrainPlan plan_training(const Source& source, const TrainSpec& spec, const TrainOptions& options, int workers = 1);

}  // namespace linsep

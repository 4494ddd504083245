// What `fit` shares with other ways from a spec to a model.
#pragma once

#include "linsep/plan.h"
#include "linsep/train.h"

namespace linsep {

/// Fills in what a learner's model doesn't say of itself: learner, options, map, schema, features, and where scores are
/// log odds, that they are. `source` is the one before the map.
void complete_model(Model& model, const TrainPlan& plan, const Options& options, const Source& source);

}  // namespace linsep

// What `fit` shares with other ways from a spec to a model.
#pragma once

#include "linsep/train.h"

namespace linsep {

/// Throws a usage Error where a run on `features` mapped features of these labels can't start from this model (nullptr:
/// it needn't).
void check_start(const Model* start, const FeatureMap& map, std::uint32_t features, const Schema& schema);

/// Fills in what a learner's model doesn't say of itself: learner, options, map, schema, features, and that scores of
/// the logistic loss are log odds. `source` is the one before the map.
void complete_model(Model& model, const LearnerInfo& info, const Options& options, const FeatureMap& map,
                    const Source& source);

}  // namespace linsep

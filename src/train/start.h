// A model to start from, as the data see it.
#pragma once

#include "linsep/map.h"
#include "linsep/model.h"
#include "linsep/source.h"

namespace linsep {

/// What a learner starts from: `start` with the classes and the columns of the source. Both are matched by name where
/// both have names: two classes the other way round turn the signs, columns in another order move the weights. Throws a
/// usage Error where the classes, the columns or the feature map are others, or where a table was encoded differently.
/// `regression`: what the learner makes.
Model start_for(const Model& start, const Source& source, const FeatureMap& map, bool regression);

}  // namespace linsep

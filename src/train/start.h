// A model to start from, adapted to the data.
#pragma once

#include "linsep/map.h"
#include "linsep/model.h"
#include "linsep/source.h"

namespace linsep {

/// What a learner starts from, which is `start` with the classes and the columns of the source. Both are matched by
/// name if both have names. If two classes are the other way round, the signs are turned, and if columns are in another
/// order, the weights are moved. Throws a usage Error if the classes, the columns or the feature map are different, or
/// if a table was encoded differently. `regression` is what the learner makes.
Model start_for(const Model& start, const Source& source, const FeatureMap& map, bool regression);

}  // namespace linsep

// The dual of the hinge and the squared hinge by coordinate descent, with an offset that isn't penalised.
#pragma once

#include <memory>

#include "learn/margin/lambda_learner.h"
#include "learn/margin/task.h"

namespace linsep {

/// REQUIRES: loss hinge or squared hinge; rows in a random order that changes from pass to pass (data/permute.h).
std::unique_ptr<LambdaLearner> make_hinge_dual(const MarginSettings& settings, const Model* start);

}  // namespace linsep

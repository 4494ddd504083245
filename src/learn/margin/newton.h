// Squared hinge and logistic loss by Newton's method with conjugate gradients, the offset projected out.
#pragma once

#include <memory>

#include "learn/margin/task.h"
#include "linsep/learner.h"

namespace linsep {

/// REQUIRES: loss squared hinge or logistic. The order of rows doesn't matter.
std::unique_ptr<Learner> make_newton(const MarginSettings& settings, const Model* start);

}  // namespace linsep

// The hinge with few features by an interior-point method: tens of iterations whatever C is.
#pragma once

#include <memory>

#include "learn/margin/task.h"
#include "linsep/learner.h"

namespace linsep {

/// REQUIRES: loss hinge. Keeps a matrix of (d+1)² numbers for each thread. The order of rows doesn't matter.
std::unique_ptr<Learner> make_interior(const MarginSettings& settings, const Model* start);

}  // namespace linsep

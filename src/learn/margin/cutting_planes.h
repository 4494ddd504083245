// The hinge loss by cutting planes, for rows spread over several workers.
#pragma once

#include <memory>

#include "learn/margin/task.h"
#include "linsep/learner.h"

namespace linsep {

/// REQUIRES: loss hinge. The order of rows doesn't matter.
std::unique_ptr<Learner> make_planes(const MarginSettings& settings, const Model* start);

}  // namespace linsep

// Parameter averaging: after each pass every worker resumes from the mean of all workers' weights.
// McDonald, Hall & Mann, "Distributed training strategies for the structured perceptron", 2010, with uniform mixing.
#pragma once

#include <cstdint>
#include <vector>

#include "linsep/comm.h"

namespace linsep {

/// Replaces θ and θ0 by their means over the workers. A shorter θ counts as followed by zeros. One all-reduce of
/// d + 1 numbers.
void mix(Comm& comm, std::vector<double>& theta, double& offset);

}  // namespace linsep

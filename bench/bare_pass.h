// The limit that a pass is compared with: the same columns, values and weights, and nothing else.
#pragma once

#include <string_view>

#include "linsep/batch.h"

namespace linsep {

/// Σ weight[column]·value over every entry of the batch, as fast as this CPU gathers: no rows, no labels, no updates.
/// REQUIRES: a sparse batch of floats, columns below 2³¹.
double bare_sum(const Batch& batch, const double* weight);

/// "AVX-512", "AVX2" or "plain".
std::string_view bare_version();

}  // namespace linsep

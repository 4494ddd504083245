// The finite end of the interval of an infinite coefficient, from the probability of what was observed.
//
// Problem: The estimate of a coefficient is ±∞ because a direction of recession fits some rows perfectly. Their
// outcomes are the face (Geyer, 2009). With β̂(b) the maximum of the likelihood with the coefficient at b, the face has
// the probability P(b) = Π p_i(β̂(b))^w_i over these rows, which goes to 1 as b goes to the estimate. No other outcomes
// speak as much for the estimate, so P(b) is a one-sided p-value of b, and half of it the mid-p value. The end is the b
// with P(b) = α/2, or α for mid-p. The b at which the likelihood ratio has fallen by the quantile of χ² is too near.
// There n of n events that nothing else depends on have the probability e^(−1.92) = 0.147, however many they are.
//
// Other coefficients may make up for b on these rows, at the cost of few others, so that P never falls to α. Then the
// others show where b is unlikely. No end is further out than that of the profile interval with a fiftieth of α.
//
// Method: False position (Illinois) for ln(−ln P), which is almost straight in b, between two ends of profiles.
// Stops: ln P is within 1e-10 of its level, relatively. Cost: About 20 passes.
#pragma once

#include <vector>

#include "linsep/logit.h"
#include "train/logit/likelihood.h"
#include "train/logit/search.h"

namespace linsep {

/// The b as a·β, or NaN if a search didn't converge. `zero` is the maximum with the coefficient at 0, already found. If
/// `side` is −1, the estimate is +∞ and the end is below it. If it is 1, the estimate is −∞ and the end is above it.
/// `supremum` is that of ln L. `face` marks the rows of all workers, by their numbers. Collective.
double infinite_end(Likelihood& likelihood, const LogitSearch& zero, int side, double supremum,
                    const std::vector<char>& face, const LogitOptions& options);

}  // namespace linsep

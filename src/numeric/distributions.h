// The normal and the chi-square distribution: tails and quantiles, the same bits on every machine, to a relative error
// of about 1e-14. Tails keep their figures where they are tiny: p = 1e-300 is a number, not 0.
#pragma once

namespace linsep {

/// P(|Z| > z) of a standard normal Z; 1 for z = 0. REQUIRES: z ≥ 0.
double normal_two_sided(double z);

/// The z with P(|Z| > z) = p. REQUIRES: 0 < p < 1.
double normal_two_sided_quantile(double p);

/// P(X > x) of a chi-square X with this many degrees of freedom. REQUIRES: x ≥ 0, degrees ≥ 1.
double chi_square_tail(double x, int degrees);

}  // namespace linsep

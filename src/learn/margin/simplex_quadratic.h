// max over λ ≥ 0, Σλ = 1 of β·λ − ½λᵀGλ, for tens of λ, by a primal-dual interior-point method (Mehrotra, 1992).
//
// Slower per step than moving mass between two λ at a time, but the number of steps hardly depends on how G is scaled.
// Cost of a step: one factoring of G. The same bits for any number of workers that have the same G and β.
#pragma once

#include <span>
#include <vector>

namespace linsep {

/// What λ leaves below the maximum at most: the greatest of β − Gλ less its mean under λ. REQUIRES: λ ≥ 0, Σλ = 1.
double left_on_simplex(std::span<const double> gram, std::span<const double> beta, std::span<const double> lambda);

/// The best λ found; those that don't matter are 0. `gram` is symmetric, row by row. False: rounding, or the number of
/// steps, ended it with more than `tolerance` left.
bool solve_on_simplex(std::span<const double> gram, std::span<const double> beta, double tolerance,
                      std::vector<double>& lambda);

}  // namespace linsep

// The limit that a pass is compared with: the same columns, values and weights, and nothing else.
#pragma once

#include <string_view>

#include "linsep/batch.h"

namespace linsep {

/// Σ weight[column]·value over every entry of the batch, as fast as this CPU gathers: no rows, no labels, no updates.
/// REQUIRES: a sparse batch of floats, columns below 2³¹.
double bare_sum(const Batch& batch, const double* weight);

/// What a pass of a solver does to the same rows, in plain doubles: a row's score z with `weight`, from which its
/// factors are made, and sums over rows of factor times row. A gradient has a sum of slopes, one of curvatures and one
/// of curvatures times squares, side by side in `sums`, and takes an exponential a row if `exponential`. A product with
/// the Hessian has one sum. Rows go by 64: their scores, their factors, then their sums. The same batches as
/// `bare_sum`.
void bare_gradient(const Batch& batch, const double* weight, bool exponential, double* sums);
void bare_product(const Batch& batch, const double* weight, double* sums);

/// "AVX-512", "AVX2" or "plain".
std::string_view bare_version();

}  // namespace linsep

// The middle matrix of the sandwich of cluster-robust standard errors.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "train/logit/likelihood.h"

namespace linsep {

struct ClusterScores {
  SymmetricMatrix matrix;     ///< Σ_g s_g·s_gᵀ
  std::int64_t clusters = 0;  ///< that have a row
};

/// Computed at β, with s_g = Σ w_i·(y_i − p_i)·x_i over the rows of cluster g. `cluster` has the cluster of each row of
/// all workers, by its number. Makes one pass over the rows, or more if the s_g of all clusters would take more than
/// `bytes`. The bits don't depend on it. Collective.
ClusterScores cluster_scores(Likelihood& likelihood, std::span<const double> beta,
                             std::span<const std::uint32_t> cluster, double bytes = 2.5e8);

}  // namespace linsep

// Scatter: the matrix Σ w·x·xᵀ, gathered row by row, and the minimum-norm solution of its equations.
#pragma once

#include <vector>

#include "core/stop_point.h"
#include "linsep/batch.h"
#include "linsep/comm.h"

namespace linsep {

/// The lower triangle of Σ w·x·xᵀ, packed row after row so that it can grow with the features of a stream. Every entry
/// is added up in the order of the rows: batches, and dense or sparse storage, don't change a bit.
class Scatter {
 public:
  std::size_t features() const { return features_; }
  void widen(std::size_t features);
  /// `stop` is looked at on the way.
  void add(const Batch& batch, const StopPoint& stop);
  /// The sum over all workers. REQUIRES: all have the same number of features.
  void synchronise(Comm& comm);
  /// REQUIRES: j ≤ i < features().
  double at(std::size_t i, std::size_t j) const { return entry_[i * (i + 1) / 2 + j]; }

  const std::vector<double>& entries() const { return entry_; }
  /// Throws an input Error unless there are as many entries as `features` need.
  void set_entries(std::size_t features, std::vector<double> entries);

 private:
  double* row(std::size_t i) { return entry_.data() + i * (i + 1) / 2; }

  std::size_t features_ = 0;
  std::vector<double> entry_;
};

/// Solves (S + ridge·I)·θ = b with S = Σw·x·xᵀ − total·μ·μᵀ, the scatter about the mean `mu` of rows that weigh `total`
/// together. An empty `mu` leaves out the second term. Where the matrix is singular θ is the solution of least norm.
///
/// Columns are scaled to unit diagonal first, so the rank doesn't depend on the features' units. Cholesky where the
/// matrix is well conditioned; else the eigenvectors of eigenvalues within rounding error of 0 are taken as the null
/// space, and θ's part in it is removed. `rows`: how many rows were added up, for that rounding error.
std::vector<double> solve_scatter(const Scatter& scatter, const std::vector<double>& mu, double total, double ridge,
                                  const std::vector<double>& b, std::int64_t rows);

}  // namespace linsep

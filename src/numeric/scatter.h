// The matrix Σ w·x·xᵀ, gathered row by row, with the minimum-norm solution of its equations; and its product with a
// vector by a pass over the rows, without the matrix.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/bytes.h"
#include "core/exact_sum.h"
#include "linsep/batch.h"
#include "linsep/comm.h"
#include "numeric/fixed_point.h"

namespace linsep {

/// The lower triangle of Σ w·x·xᵀ, packed row after row so that it can grow with the features of a stream. Every entry
/// is added up in the order of the rows: batches, and dense or sparse storage, don't change a bit.
class Scatter {
 public:
  std::size_t features() const { return features_; }
  void widen(std::size_t features);
  /// Polls on the way.
  void add(const Batch& batch);
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

/// S·p for the scatter S = Σ w·(x − μ)(x − μ)ᵀ of the rows of all workers, by a pass over the rows and without the
/// matrix, to the same bits however rows are spread over workers: S·p = Σ s·x − μ·Σs with s = w·(x·p − μ·p); without a
/// mean μ·p and the second term are 0.
class ScatterProduct {
 public:
  /// A first pass over the rows finds out how large sums can get.
  void widen(std::size_t features) { survey_.widen(features); }
  void survey(const Batch& batch);
  void end_survey(Comm& comm);

  /// The product of p from here on. `total` is Σw of all rows, `mu` their mean or empty. REQUIRES: the survey has
  /// ended.
  void begin(const std::vector<double>& p, const std::vector<double>& mu, double total);
  void add(const Batch& batch, const double* p);
  void synchronise(Comm& comm);
  std::vector<double> value(const std::vector<double>& mu) const;

  void save(ByteWriter& writer) const;
  void load(ByteReader& reader);
  std::size_t features() const { return survey_.greatest.size(); }

 private:
  ColumnSurvey survey_;
  double heaviest_ = 0;  ///< row, by weight
  FixedColumns fixed_;
  bool units_ = false;                 ///< fixed_ is set
  std::vector<std::int64_t> product_;  ///< Σ s·x in fixed point
  double step_ = 1;                    ///< of it
  double shift_ = 0;                   ///< μ·p
  ExactSum sum_;                       ///< Σs
};

}  // namespace linsep

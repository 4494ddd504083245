// GramPreconditioner: an approximate inverse of Hessians I + Σ D_i·x_i·x_iᵀ over dense rows, for conjugate gradients.
//
// It is (I + S·G)⁻¹ with S = Σ D_i, rounded to a power of two, and G the mean of x·xᵀ over a sample of 4d rows, less
// their mean where the model has an offset. G depends on nothing but the rows: all classes share it, and it is made
// once. Rows are drawn by their numbers, so the sample is the same for any number of threads and workers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "linsep/batch.h"
#include "linsep/comm.h"
#include "numeric/symmetric_matrix.h"

namespace linsep {

class GramPreconditioner {
 public:
  /// Whether it costs less than the passes that it can be expected to save.
  static bool pays(double rows, double features, double outputs);

  bool sampled() const { return sampled_; }
  /// Begins a pass that draws the sample from `all_rows` rows of all workers. At most `slots` threads at a time.
  void begin_sample(std::size_t features, std::int64_t all_rows, std::size_t slots);
  /// Copies the rows that are drawn. REQUIRES: rows.dense; the rows of a slot come from one thread at a time.
  void sample(const Batch& rows, std::size_t slot);
  /// All rows have been seen: gathers the workers' samples.
  void end_sample(Comm& comm, bool centred);

  /// The sample's mean, or zeros where it isn't centred. REQUIRES: sampled().
  const std::vector<double>& mean(int threads) {
    if (gram_.size() != features_) assemble(threads);
    return mean_;
  }
  /// The level of Σ D_i: its logarithm to the base 2, rounded.
  static int level_of(double curvature);
  /// x_c ← (I + 2^level[c]·G)⁻¹·x_c for outputs c; x[j·stride + c] is column j of output c. The same bits for any number
  /// of threads. Factors of levels that aren't asked for are dropped. REQUIRES: sampled().
  void solve(std::span<const int> level, double* x, std::size_t stride, int threads);

 private:
  struct Drawn {
    std::vector<std::int64_t> number;
    std::vector<double> value;
  };

  void assemble(int threads);
  const SymmetricMatrix& factor_of(int level, int threads);

  bool sampled_ = false, centred_ = false;
  std::size_t features_ = 0;
  std::uint64_t threshold_ = 0;
  std::vector<Drawn> drawn_;  // by slot; afterwards one, sorted by number, until the matrix is made of it
  SymmetricMatrix gram_;
  std::vector<double> mean_;
  std::map<int, SymmetricMatrix> factor_;
};

}  // namespace linsep

// GramPreconditioner: an approximate inverse of Hessians I + Σ D_i·x_i·x_iᵀ over dense rows, for conjugate gradients.
//
// It is (I + S·G)⁻¹ with S = Σ D_i, rounded to a power of two, and G the mean of x·xᵀ over a sample of 4d rows, less
// their mean where the model has an offset. G depends on nothing but the rows: all classes share it, and it is made
// once. Rows are drawn by their numbers, so the sample is the same for any number of threads and workers.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
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

  GramPreconditioner() = default;
  GramPreconditioner(const GramPreconditioner&) = delete;
  GramPreconditioner& operator=(const GramPreconditioner&) = delete;
  ~GramPreconditioner();

  bool sampled() const { return sampled_; }
  /// Begins a pass that draws the sample from `all_rows` rows of all workers. At most `slots` threads at a time.
  void begin_sample(std::size_t features, std::int64_t all_rows, std::size_t slots);
  /// A sample has begun and not ended.
  bool sampling() const { return !drawn_.empty(); }
  /// Copies the rows that are drawn. REQUIRES: rows.dense; the rows of a slot come from one thread at a time.
  void sample(const Batch& rows, std::size_t slot);
  /// All rows have been seen: gathers the workers' samples and makes the matrix.
  void end_sample(Comm& comm, bool centred, int threads);

  /// The sample's mean, or zeros where it isn't centred. REQUIRES: sampled().
  const std::vector<double>& mean() const { return mean_; }
  /// The level of Σ D_i: its logarithm to the base 2, rounded.
  static int level_of(double curvature);
  /// x_c ← (I + 2^level[c]·G)⁻¹·x_c for outputs c; x[j·stride + c] is column j of output c. The same bits for any
  /// number of threads; several may call it at a time. REQUIRES: sampled().
  void solve(std::span<const int> level, double* x, std::size_t stride, int threads) const;
  /// Drops the factors of other levels. REQUIRES: nobody else uses it.
  void keep_levels(std::span<const int> level);

 private:
  struct Drawn {
    std::vector<std::int64_t> number;
    std::vector<float> value;  // precise enough for an approximate inverse
  };
  static constexpr int kMostLevel = 200;

  /// What all workers have drawn.
  static std::vector<Drawn> gather_drawn(std::span<const Drawn> mine, Comm& comm);
  void assemble(std::span<const Drawn> all, int threads);
  const SymmetricMatrix& factor_of(int level, int threads) const;
  void solve_with(const SymmetricMatrix& factor, std::span<const std::size_t> outputs, double* x,
                  std::size_t stride) const;
  std::atomic<const SymmetricMatrix*>& factor_at(int level) const {
    return factor_[static_cast<std::size_t>(std::clamp(level, -kMostLevel, kMostLevel) + kMostLevel)];
  }

  bool sampled_ = false, centred_ = false;
  std::size_t features_ = 0;
  std::uint64_t threshold_ = 0;
  std::vector<Drawn> drawn_;  // by slot
  SymmetricMatrix gram_;
  std::vector<double> mean_;
  // By level, made when first wanted. Two threads may make the same one; the first to be done keeps it.
  mutable std::array<std::atomic<const SymmetricMatrix*>, 2 * kMostLevel + 1> factor_ = {};
};

/// The preconditioner of many learners over the same rows, sampled by whoever gives them the rows.
struct SharedGram {
  GramPreconditioner gram;
  bool expected = false;  ///< once the first pass has ended: it will be there at the end of the next
  bool centred = true;    ///< the learners have offsets
};

class WideLearner;

/// A learner that can take its preconditioner from outside.
class GramSharer {
 public:
  virtual ~GramSharer() = default;
  /// Between `begin` and the end of the first pass. False: it has no use for it.
  virtual bool share_gram(const std::shared_ptr<SharedGram>& gram) = 0;
  /// Who takes part in the coming pass as one of many (learn/wide_pass.h), instead of being visited; or nullptr.
  virtual WideLearner* wide_learner() { return nullptr; }
};
/// Whether a learner takes it.
template <class Learner>
bool takes_gram(Learner& learner, const std::shared_ptr<SharedGram>& gram) {
  auto* sharer = dynamic_cast<GramSharer*>(&learner);
  return sharer != nullptr && sharer->share_gram(gram);
}
template <class Learner>
WideLearner* wide_learner_of(Learner& learner) {
  auto* sharer = dynamic_cast<GramSharer*>(&learner);
  return sharer != nullptr ? sharer->wide_learner() : nullptr;
}

}  // namespace linsep

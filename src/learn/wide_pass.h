// WidePass: one pass of many learners over the same dense rows, with one matrix product for all their scores and one
// for all their sums of rows. Each ends the pass with the bits that it would have had alone (kernel/dense_kernels.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "linsep/batch.h"
#include "numeric/dense_sums.h"
#include "numeric/fixed_point.h"

namespace linsep {

/// A learner some of whose passes ask one thing of every row x: its score with a vector, which decides by what
/// multiples of x the learner's sums grow.
class WideLearner {
 public:
  static constexpr std::size_t kMostSums = 2;
  struct Wanted {
    const std::vector<double>* vector = nullptr;
    const FixedColumns* fixed = nullptr;  ///< the units of the sums, with the step of each
    std::array<double, kMostSums> step = {};
    std::size_t sums = 0;
  };

  virtual ~WideLearner() = default;
  /// What the coming pass asks for. It is constant until the pass has ended.
  virtual Wanted wanted() const = 0;
  /// Takes the scores of rows of a batch, which begin at row `first` of it: score[r·score_stride] for row r. Writes
  /// what multiple of the row is added to each sum: factor[r·factor_stride + sum].
  virtual void take_scores(const Batch& batch, std::size_t first, std::size_t rows, const double* score,
                           std::size_t score_stride, double* factor, std::size_t factor_stride) = 0;
  /// Takes a sum over all rows: units[j·stride] is that of column j.
  virtual void take_units(std::size_t sum, const std::int64_t* units, std::size_t stride) = 0;
};

class WidePass {
 public:
  /// REQUIRES: at least one learner; each lives until `end`.
  WidePass(std::span<WideLearner* const> learners, std::size_t features);

  /// By one thread at a time. Polls. REQUIRES: batch.dense.
  void add(const Batch& batch);
  /// Gives every learner its sums.
  void end();

 private:
  struct Member {
    WideLearner* learner;
    WideLearner::Wanted wanted;
    std::size_t first_sum;
  };

  std::vector<Member> members_;
  PackedWeights vectors_;
  DenseSums sums_;
  std::size_t sum_count_ = 0;
  std::vector<std::int64_t> units_;  // by column and sum
  std::vector<double> score_, factor_, scratch_;
};

}  // namespace linsep

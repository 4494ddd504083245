// WidePass makes one pass of many learners over the same dense rows, with one matrix product for all their scores and
// one for all their sums of rows. Each learner ends the pass with the bits that it would have had alone
// (kernel/dense_kernels.h).
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

/// A learner of which some passes need only one thing from every row x, which is its score with a vector. The score
/// decides what multiples of x are added to the learner's sums.
class WideLearner {
 public:
  static constexpr std::size_t kMostSums = 2;
  struct PassRequest {
    std::span<const double> vector = {};
    const FixedColumns* fixed = nullptr;  ///< the units of the sums, with the step of each
    std::array<double, kMostSums> step = {};
    std::size_t sums = 0;
  };

  virtual ~WideLearner() = default;
  /// What the coming pass asks for, with at most `slots` threads at a time. It is constant until the pass has ended.
  virtual PassRequest begin_wide(std::size_t slots) = 0;
  /// Takes the scores of rows of a batch, which begin at row `first` of it. Row r has score[r·score_stride]. Writes to
  /// factor[r·factor_stride + sum] what multiple of the row is added to each sum. The rows of a slot come from one
  /// thread at a time.
  virtual void take_scores(const Batch& batch, std::size_t first, std::size_t rows, std::size_t slot,
                           const double* score, std::size_t score_stride, double* factor,
                           std::size_t factor_stride) = 0;
  /// Takes a sum over all rows. units[j·stride] is that of column j.
  virtual void take_units(std::size_t sum, const std::int64_t* units, std::size_t stride) = 0;
};

class WidePass {
 public:
  /// For at most `slots` threads at a time. REQUIRES: at least one learner; each lives until `end`.
  WidePass(std::span<WideLearner* const> learners, std::size_t features, std::size_t slots);

  std::size_t slots() const { return slots_.size(); }
  /// Polls. REQUIRES: batch.dense; the rows of a slot come from one thread at a time.
  void add(const Batch& batch, std::size_t slot);
  /// Gives every learner its sums.
  void end();

 private:
  struct Member {
    WideLearner* learner;
    WideLearner::PassRequest wanted;
    std::size_t first_sum;
  };

  struct Slot {
    DenseSums sums;
    std::vector<std::int64_t> units;  // by column and sum
    std::vector<double> score, factor, scratch;
  };

  std::vector<Member> members_;
  PackedWeights vectors_;
  std::size_t sum_count_ = 0;
  std::vector<Slot> slots_;
};

}  // namespace linsep

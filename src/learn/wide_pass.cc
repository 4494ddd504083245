#include "learn/wide_pass.h"

#include <algorithm>

#include "core/deadline.h"
#include "kernel/dense_kernels.h"

namespace linsep {

WidePass::WidePass(std::span<WideLearner* const> learners, std::size_t features, std::size_t slots) : slots_(slots) {
  for (WideLearner* learner : learners) members_.push_back({learner, learner->begin_wide(slots), 0});
  // Scores are fastest if vectors of few bits stand together.
  const auto all_short = [](const Member& member) { return std::ranges::all_of(member.wanted.vector, is_short); };
  std::ranges::stable_partition(members_, all_short);
  const std::size_t count = members_.size();
  std::vector<double> vectors(features * count);
  for (std::size_t k = 0; k < count; ++k) {
    members_[k].first_sum = sum_count_;
    sum_count_ += members_[k].wanted.sums;
    for (std::size_t j = 0; j < features; ++j) vectors[j * count + k] = members_[k].wanted.vector[j];
  }
  vectors_.set(vectors.data(), features, count, count, 1);
  DenseSums sums;
  sums.begin(features, sum_count_);
  for (const Member& member : members_) {
    for (std::size_t s = 0; s < member.wanted.sums; ++s) {
      sums.set_units(member.first_sum + s, *member.wanted.fixed, member.wanted.step[s]);
    }
  }
  for (Slot& slot : slots_) {
    slot.sums = sums;
    slot.units.assign(features * sum_count_, 0);
    slot.score.assign(kDenseBlockRows * padded_outputs(count), 0);
    slot.factor.assign(kDenseBlockRows * padded_outputs(sum_count_), 0);
  }
}

void WidePass::add(const Batch& batch, std::size_t slot) {
  Slot& own = slots_[slot];
  const std::size_t score_stride = padded_outputs(members_.size()), factor_stride = padded_outputs(sum_count_);
  for_each_block(batch, [&](const auto& block, std::size_t first) {
    block_scores(block, vectors_, own.score.data(), score_stride, own.scratch);
    for (std::size_t k = 0; k < members_.size(); ++k) {
      members_[k].learner->take_scores(batch, first, block.rows, slot, own.score.data() + k, score_stride,
                                       own.factor.data() + members_[k].first_sum, factor_stride);
    }
    own.sums.add(block, own.factor.data(), factor_stride, own.units.data(), sum_count_);
    poll(block.rows * block.columns * members_.size());
  });
}

void WidePass::end() {
  for (Slot& slot : slots_) {
    slot.sums.flush(slot.units.data(), sum_count_);
    for (const Member& member : members_) {
      for (std::size_t s = 0; s < member.wanted.sums; ++s) {
        member.learner->take_units(s, slot.units.data() + member.first_sum + s, sum_count_);
      }
    }
  }
}

}  // namespace linsep

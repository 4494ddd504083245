#include "learn/wide_pass.h"

#include <algorithm>

#include "core/deadline.h"
#include "kernel/dense_kernels.h"

namespace linsep {

WidePass::WidePass(std::span<WideLearner* const> learners, std::size_t features) {
  for (WideLearner* learner : learners) members_.push_back({learner, learner->wanted(), 0});
  // Scores are fastest where vectors of few bits stand together.
  const auto all_short = [](const Member& member) { return std::ranges::all_of(*member.wanted.vector, is_short); };
  std::ranges::stable_partition(members_, all_short);
  const std::size_t count = members_.size();
  std::vector<double> vectors(features * count);
  for (std::size_t k = 0; k < count; ++k) {
    members_[k].first_sum = sum_count_;
    sum_count_ += members_[k].wanted.sums;
    for (std::size_t j = 0; j < features; ++j) vectors[j * count + k] = (*members_[k].wanted.vector)[j];
  }
  vectors_.set(vectors.data(), features, count, count, 1);
  sums_.begin(features, sum_count_);
  for (const Member& member : members_) {
    for (std::size_t s = 0; s < member.wanted.sums; ++s) {
      sums_.set_units(member.first_sum + s, *member.wanted.fixed, member.wanted.step[s]);
    }
  }
  units_.assign(features * sum_count_, 0);
  score_.assign(kDenseBlockRows * padded_outputs(count), 0);
  factor_.assign(kDenseBlockRows * padded_outputs(sum_count_), 0);
}

void WidePass::add(const Batch& batch) {
  const std::size_t score_stride = padded_outputs(members_.size()), factor_stride = padded_outputs(sum_count_);
  for_each_block(batch, [&](const auto& block, std::size_t first) {
    block_scores(block, vectors_, score_.data(), score_stride, scratch_);
    for (std::size_t k = 0; k < members_.size(); ++k) {
      members_[k].learner->take_scores(batch, first, block.rows, score_.data() + k, score_stride,
                                       factor_.data() + members_[k].first_sum, factor_stride);
    }
    sums_.add(block, factor_.data(), factor_stride, units_.data(), sum_count_);
    poll(block.rows * block.columns * members_.size());
  });
}

void WidePass::end() {
  sums_.flush(units_.data(), sum_count_);
  for (const Member& member : members_) {
    for (std::size_t s = 0; s < member.wanted.sums; ++s) {
      member.learner->take_units(s, units_.data() + member.first_sum + s, sum_count_);
    }
  }
}

}  // namespace linsep

// The gap of coordinate descent: a pass that scores every row, the repair of α, and a pass that sums u anew.
#include <algorithm>
#include <cmath>

#include "learn/margin/dual/solver.h"

namespace linsep {
namespace {

constexpr double kNearMargin = 0.1;  // a warm start's α falls from c to 0 over margins of this width

}  // namespace

void HingeDual::begin_score() {
  sweeps_since_ = 0;
  blocks_.begin(static_cast<std::int64_t>(task_.rows()), task_.settings().threads);
  extents_.assign(blocks_.slots(), {});
  phase_ = Phase::kScore;
}

void HingeDual::score(const Batch& batch, std::size_t slot) {
  const std::size_t first = task_.index_of(batch);
  for_each_row(batch, [&](const auto& row, std::int64_t i) {
    const std::size_t k = first + static_cast<std::size_t>(i);
    z_[k] = dot(row, theta_.data());
    if (starting_) measure(row, state_[k], extents_[slot]);
  });
}

void HingeDual::find_best_offset(Comm& comm) {
  best_offset_ = 0;
  if (!centred_) return;
  best_offset_ = bounded_ ? best_hinge_offset(task_.cost(), z_)
                          : best_smooth_offset(task_.settings().loss, task_.cost(), z_, multiplier_,
                                               task_.settings().threads, comm, &stop_);
}

void HingeDual::end_score() {
  for (const RowExtent& extent : extents_) extent_.include(extent);
  const Loss loss = task_.settings().loss;
  const int threads = task_.settings().threads;
  const double offset = best_offset_;
  const double square = squared_length(theta_);
  const double total = total_loss(loss, task_.cost(), z_, offset, threads);
  const double primal = square / 2 + total;
  const double steepest = bounded_ ? 1 : 2 * std::sqrt(total / std::max(task_.costs(), 1e-300)) + 2;
  task_.offer_primal(primal, primal_rounding(extent_, task_.costs(), steepest, std::sqrt(square), offset, primal),
                     theta_, offset);
  if (starting_) {
    start_alphas(offset);
  } else {
    wake(offset);
  }
  if (centred_) {
    repair_balance(task_.cost(), z_, offset, bounded_, [&](std::size_t i) -> double& { return state_[i].alpha; });
  }
  partial_.assign(blocks_.slots(), std::vector<double>(u_.size(), 0));
  std::fill(u_.begin(), u_.end(), 0.0);
  blocks_.begin(static_cast<std::int64_t>(task_.rows()), threads);
  phase_ = Phase::kSum;
}

// No row sleeps on the wrong side of its margin.
void HingeDual::wake(double offset) {
  for (std::size_t i = 0; i < state_.size(); ++i) {
    const double cost = task_.cost()[i], m = (cost < 0 ? -1.0 : 1.0) * (z_[i] + offset);
    if (state_[i].alpha == 0 ? m < 1 : m > 1) asleep_[i] = 0;
  }
}

// α that goes with the scores of a given classifier: exactly so for the squared hinge. For the hinge α is c below the
// margin and 0 above it; near it, where optimal α may be anything, it falls in between.
void HingeDual::start_alphas(double offset) {
  for (std::size_t i = 0; i < state_.size(); ++i) {
    const double cost = task_.cost()[i], limit = std::abs(cost);
    const double short_of_one = 1 - (cost < 0 ? -1.0 : 1.0) * (z_[i] + offset);
    state_[i].alpha = bounded_ ? limit * std::clamp(0.5 + short_of_one / kNearMargin, 0.0, 1.0)
                               : 2 * limit * std::max(0.0, short_of_one);
  }
  multiplier_ = offset;
  starting_ = false;
}

void HingeDual::exact_all_reduce(const Batch& batch, std::size_t slot) {
  const std::size_t first = task_.index_of(batch);
  for_each_row(batch, [&](const auto& row, std::int64_t i) {
    const std::size_t k = first + static_cast<std::size_t>(i);
    const double alpha = state_[k].alpha;
    if (alpha != 0) axpy(task_.cost()[k] < 0 ? -alpha : alpha, row, partial_[slot].data());
  });
}

void HingeDual::fold(std::size_t slot) {
  for (std::size_t j = 0; j < u_.size(); ++j) u_[j] += partial_[slot][j];
  std::fill(partial_[slot].begin(), partial_[slot].end(), 0.0);
}

void HingeDual::end_sum() {
  partial_.clear();
  Sum alphas, terms, balance;
  for (std::size_t i = 0; i < state_.size(); ++i) {
    const double alpha = state_[i].alpha, cost = task_.cost()[i];
    if (alpha == 0) continue;
    alphas.add(alpha);
    terms.add(bounded_ ? alpha : alpha - alpha * alpha / (4 * std::abs(cost)));
    balance.add(cost < 0 ? -alpha : alpha);
  }
  const double square = squared_length(u_);
  terms_ = terms.value();
  balance_ = centred_ ? balance.value() : 0;
  task_.offer_dual(terms.value() - square / 2,
                   dual_rounding(extent_, alphas.value(), balance_, std::sqrt(square),
                                 sum_rounding(extent_, alphas.value(), blocks_.additions()), terms.value()));
  along_ = 0;
  if (centred_) {
    Sum along;
    for (std::size_t j = 0; j < u_.size(); ++j) along.add(u_[j] * v_[j]);
    along_ = along.value();
  }
  shift_ = balance_ * (vv_ + sigma_) - along_ + multiplier_;
  phase_ = Phase::kSweep;
}

}  // namespace linsep

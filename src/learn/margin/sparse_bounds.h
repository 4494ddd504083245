// Bounds for the hinge and the squared hinge with a penalty that has an L1 part, from a classifier's scores and from
// any α ≥ 0: interior.cc and dual_l1.cc offer them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "learn/margin/solvers.h"
#include "learn/margin/task.h"
#include "linsep/comm.h"
#include "numeric/compensated_sum.h"

namespace linsep {

/// Σ α_i x_i of each class.
struct AlphaSums {
  std::vector<double> positive, negative;

  void begin(std::size_t features) {
    positive.assign(features, 0);
    negative.assign(features, 0);
  }
};

/// Σ α_i and Σ κ_i α_i² of each class.
struct DualPoint {
  Sum positive, negative, positive_square, negative_square;

  void add(double cost, double alpha, double square) {
    (cost > 0 ? positive : negative).add(alpha);
    if (square > 0) (cost > 0 ? positive_square : negative_square).add(square);
  }
};

/// A dual point as it is offered: the heavier class scaled down to Σ α_i y_i = 0 unless the classifier goes through the
/// origin.
struct BalancedDual {
  double alphas = 0, square = 0;  ///< Σ α_i and Σ κ_i α_i²
  std::vector<double> v;          ///< Σ α_i y_i x_i
};
inline BalancedDual balanced(const DualPoint& point, std::span<const double> positive, std::span<const double> negative,
                             bool origin) {
  double up = 1, down = 1;
  if (!origin) {
    up = std::min(1.0, point.negative.value() / point.positive.value());
    down = std::min(1.0, point.positive.value() / point.negative.value());
  }
  BalancedDual dual;
  dual.alphas = up * point.positive.value() + down * point.negative.value();
  dual.square = up * up * point.positive_square.value() + down * down * point.negative_square.value();
  dual.v.resize(positive.size());
  for (std::size_t j = 0; j < positive.size(); ++j) dual.v[j] = up * positive[j] - down * negative[j];
  return dual;
}

/// max over t ≤ 1 of t·Σ α − t²·Σ κα²/2 − R*(t·v), with |v_j| as large as rounding allows.
inline void offer_sparse_dual(MarginTask& task, const RowExtent& extent, BalancedDual dual, double additions) {
  const Penalty& penalty = task.penalty();
  const double alphas = dual.alphas;
  const double error = sum_rounding(extent, alphas, additions) + 0x1p-48 * alphas * extent.longest;
  double greatest = 0;
  for (double& x : dual.v) greatest = std::max(greatest, x = std::abs(x) + error);
  const double most = std::min(1.0, alphas / std::max(dual.square, 1e-300));
  double low = std::min(most, (1 - 0x1p-50) * penalty.l1_ratio / std::max(greatest, 1e-300)),
         high = penalty.lasso() ? low : most;
  for (int halving = 0; halving < 60 && low < high; ++halving) {
    const double t = (low + high) / 2;
    double slope = alphas - t * dual.square;
    for (const double x : dual.v) slope -= x * std::max(0.0, t * x - penalty.l1_ratio) / penalty.ridge();
    (slope > 0 ? low : high) = t;
  }
  Sum conjugate;
  for (const double x : dual.v) {
    if (!penalty.lasso()) conjugate.add(penalty.conjugate(low * x));
  }
  const double terms = low * alphas - low * low * dual.square / 2;
  task.offer_dual(terms - conjugate.value(), 0x1p-47 * (low * alphas + low * low * dual.square + conjugate.value()));
}

/// The offset with the least loss for these scores: 0 if the classifier goes through the origin.
inline double best_offset(const MarginTask& task, std::span<const double> z, double near, Comm& comm) {
  const MarginSettings& settings = task.settings();
  if (settings.origin) return 0;
  return facts_of(settings.loss).smooth
             ? best_smooth_offset(settings.loss, task.cost(), z, near, settings.threads, comm)
             : best_hinge_offset(task.cost(), z);
}

/// Offers θ, given its scores, with the best offset. `errors`: how many times those of the scores count.
inline void offer_classifier(MarginTask& task, const RowExtent& extent, const std::vector<double>& theta,
                             std::span<const double> z, double near, double errors, Comm& comm) {
  const MarginSettings& settings = task.settings();
  const double best = best_offset(task, z, near, comm);
  const double loss = total_loss(settings.loss, task.cost(), z, best, settings.threads);
  const double primal = task.penalty().value(theta) + loss, norm = std::sqrt(squared_length(theta));
  const double steepest = mean_slope(settings.loss, loss / task.costs());
  task.offer_primal(primal, errors * primal_rounding(extent, task.costs(), steepest, norm, best, primal), theta, best);
}

/// The same for the best of a few lengths of θ: where rows are a hair short of their margin, a classifier that is as
/// much longer costs less.
inline void offer_longer(MarginTask& task, const RowExtent& extent, const std::vector<double>& theta,
                         std::span<const double> z, double near, Comm& comm) {
  constexpr int kLengths = 20;
  const MarginSettings& settings = task.settings();
  double least = std::numeric_limits<double>::infinity(), best = 1;
  std::vector<double> longer_z(z.size()), longer(theta.size());
  const auto scale = [&](double length) {
    for (std::size_t i = 0; i < z.size(); ++i) longer_z[i] = length * z[i];
    for (std::size_t j = 0; j < theta.size(); ++j) longer[j] = length * theta[j];
  };
  const double offset = best_offset(task, z, near, comm);
  for (int k = 0; k <= kLengths; ++k) {
    const double length = k == 0 ? 1 : 1 + std::ldexp(1.0, -2 * k - 4);
    scale(length);
    const double primal = task.penalty().value(longer) +
                          total_loss(settings.loss, task.cost(), longer_z, length * offset, settings.threads);
    if (primal < least) std::tie(least, best) = std::pair(primal, length);
  }
  scale(best);
  offer_classifier(task, extent, longer, longer_z, near, 2, comm);
}

/// The shares α_i/c_i behind the best dual value so far. Later ones may be worse: rounding counts for more near the
/// end, and coordinate descent with an L1 part goes up and down.
class BestShares {
 public:
  /// Calls `offer`, which offers a dual value, and keeps α if that is the best. `alpha(i)` gives α_i.
  template <class Offer, class Alpha>
  void keep_if_better(const MarginTask& task, const Offer& offer, const Alpha& alpha) {
    const double before = task.gap().dual;
    offer();
    if (!wanted_ || task.gap().dual == before) return;
    shares_.assign(task.rows(), 0);
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      if (task.cost()[i] != 0) shares_[i] = alpha(i) / std::abs(task.cost()[i]);
    }
  }
  /// From now on, for a DualRun.
  void want() { wanted_ = true; }
  /// REQUIRES: wanted. 0 of every row before the first dual value.
  std::vector<double> of(const MarginTask& task) const {
    return shares_.empty() ? std::vector<double>(task.rows(), 0) : shares_;
  }

 private:
  bool wanted_ = false;
  std::vector<double> shares_;
};

/// As dual_run, for a penalty that has an L1 part.
DualRun sparse_dual_run(const MarginSettings& settings, const Model& start);  // dual_l1.cc

}  // namespace linsep

#include "learn/margin/softmax/bounds.h"

#include <algorithm>
#include <cmath>

namespace linsep {
namespace {

constexpr double kUnit = 0x1p-53;

/// Bounds the error of each score of a row, in units of 2⁻⁵³.
double score_error(const SoftmaxTask& task, const SoftmaxPoint& at) {
  return 1.01 * (task.extent().most_values + 3) * at.theta_norm * task.extent().longest + 2 * at.greatest_offset;
}

/// Bounds Σ_c |computed P_c − P_c| of a row, in the same units (row.h).
double share_error(const SoftmaxTask& task) { return 4 * static_cast<double>(task.classes()) + 20; }

}  // namespace

double primal_rounding(const SoftmaxTask& task, const SoftmaxPoint& at) {
  const double row = 2 * score_error(task, at) + 4 * static_cast<double>(task.classes()) + 8;
  return kUnit * (1.01 * task.costs() * row + 12 * at.primal + 2 * at.theta_norm * at.theta_norm);
}

DualBound dual_bound(const SoftmaxTask& task, const SoftmaxPoint& at) {
  const auto k = static_cast<double>(task.classes());
  const double costs = task.costs(), longest = task.extent().longest;
  const double shares = kUnit * 1.01 * share_error(task);
  // Of V: what the shares' errors do, the terms' own rounding (four multiplications), cutting off.
  const double error = at.slope_error + (shares + 6 * kUnit) * costs * longest;
  DualBound bound;
  bound.value = at.primal - at.gradient_norm * at.gradient_norm / 2;
  bound.rounding = primal_rounding(task, at) + error * (at.gradient_norm + error) +
                   2 * kUnit * costs * score_error(task, at) + kUnit * 8 * at.gradient_norm * at.gradient_norm;
  if (task.settings().origin) return bound;
  double share = 0;  // s
  const double balance_error = (shares + 4 * kUnit) * costs;
  for (std::size_t c = 0; c < task.classes(); ++c) {
    if (!task.active(c)) continue;
    const double wrong = std::abs(at.balance[c]) + balance_error;
    share = std::max(share, 1.01 * wrong / task.class_costs()[c]);
    bound.value += at.offset[c] * at.balance[c];
  }
  if (!(share < 1)) return {0, 0};
  const double moved = 1.42 * share * costs * longest;
  bound.rounding += at.greatest_offset * (balance_error + kUnit * 8 * k * costs) + share * costs * std::log(k) +
                    moved * (at.slope_norm + error + moved);
  return bound;
}

}  // namespace linsep

#include "learn/margin/hinge_line.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "numeric/compensated_sum.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/quantile.h"

namespace linsep {
namespace {

constexpr double kEnough = 0.1;  // share of the possible descent along a line that a search may leave
constexpr int kMostTrials = 12;

}  // namespace

void HingeLine::begin(std::size_t rows) {
  for (std::vector<double>* v : {&from_, &to_, &bend_}) v->assign(rows, 0);
}

void HingeLine::move(double t) {
  for (std::size_t i = 0; i < from_.size(); ++i) from_[i] += t * (to_[i] - from_[i]);
}

Touching HingeLine::touch(double t, const SurveyedTask& task, Comm& comm) {
  for (std::size_t i = 0; i < from_.size(); ++i) bend_[i] = task.label(i) - (from_[i] + t * (to_[i] - from_[i]));
  Touching at;
  if (!task.settings().origin) {
    at.offset = agreed_quantile({bend_, task.cost(), 1.01 * task.costs()}, task.positive_cost(), comm);
  }
  // Of rows within the margin, on it as a positive, on it as a negative row: cost, signed cost, slope; and the loss.
  enum : std::size_t { kRisk, kCost, kSigned, kSlope, kOnPositive, kOnNegative, kSlopePositive, kSlopeNegative, kSums };
  const auto sums = exact_all_reduce_sums<kSums>(
      comm, from_.size(), task.threads(), [&](std::size_t i, std::array<ExactSum, kSums>& sum) {
        const double cost = task.cost()[i], side = bend_[i] - at.offset, change = cost * (to_[i] - from_[i]);
        if (side == 0) {
          sum[cost > 0 ? kOnPositive : kOnNegative].add(std::abs(cost));
          sum[cost > 0 ? kSlopePositive : kSlopeNegative].add(change);
        } else if ((side > 0) == (cost > 0)) {
          sum[kRisk].add(cost * side);
          sum[kCost].add(std::abs(cost));
          sum[kSigned].add(cost);
          sum[kSlope].add(change);
        }
      });
  if (!task.settings().origin) {
    const double over = sums[kSigned];
    if (over < 0 && sums[kOnPositive] > 0) at.positive_share = std::min(1.0, -over / sums[kOnPositive]);
    if (over > 0 && sums[kOnNegative] > 0) at.negative_share = std::min(1.0, over / sums[kOnNegative]);
    at.imbalance = over + at.positive_share * sums[kOnPositive] - at.negative_share * sums[kOnNegative];
  }
  at.risk = sums[kRisk];
  at.slope = -(sums[kSlope] + at.positive_share * sums[kSlopePositive] + at.negative_share * sums[kSlopeNegative]);
  at.alphas = sums[kCost] + at.positive_share * sums[kOnPositive] + at.negative_share * sums[kOnNegative];
  return at;
}

HingeLine::Trial HingeLine::search(std::span<const double> theta, std::span<const double> w, const SurveyedTask& task,
                                   Comm& comm, const StopPoint& stop) {
  Sum along, length;
  for (std::size_t j = 0; j < w.size(); ++j) {
    along.add(theta[j] * (w[j] - theta[j]));
    length.add((w[j] - theta[j]) * (w[j] - theta[j]));
  }
  if (!(length.value() > 0)) return {0, 0, touch(0, task, comm)};
  const auto bend = [&](double t) { return t * along.value() + t * t / 2 * length.value(); };
  const auto least = [&](double slope) { return -(along.value() + slope) / length.value(); };
  struct Line {
    bool known = false;
    double slope = 0, at_zero = 0;  // R ≥ at_zero + slope·t
  } left, right;
  Trial best;
  double t = 0, first = 0;
  for (int trial = 0; trial < kMostTrials; ++trial) {
    stop.look();
    const Touching at = touch(t, task, comm);
    const double value = bend(t) + at.risk;
    if (trial == 0) first = value;
    if (trial == 0 || value < best.value) best = {t, value, at};
    const bool falls = least(at.slope) > t;
    (falls ? left : right) = {true, at.slope, at.risk - at.slope * t};
    if (!left.known) break;  // it doesn't fall at all
    double next = std::min(1.0, least(left.slope));
    double bound = left.at_zero + left.slope * next + bend(next);
    if (right.known) {
      const double meet = (left.at_zero - right.at_zero) / (right.slope - left.slope);
      next = std::min(1.0, std::clamp(meet, std::min(least(right.slope), least(left.slope)), least(left.slope)));
      bound = std::max(left.at_zero + left.slope * next, right.at_zero + right.slope * next) + bend(next);
    }
    if (trial > 0 && best.value - bound <= kEnough * (first - bound)) break;
    if (!(next > 0) || next == t || !std::isfinite(next)) break;
    t = next;
  }
  return best;
}

}  // namespace linsep

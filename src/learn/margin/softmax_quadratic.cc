#include "learn/margin/softmax_quadratic.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/deadline.h"

namespace linsep {

int SoftmaxQuadratic::solve(const JointPenalty& penalty, std::span<const Block> blocks, std::span<double> v,
                            std::span<double> u, double tolerance, int most_sweeps) {
  curvature_.clear();
  for (const Block& block : blocks) curvature_.push_back(penalty.grouped ? greatest_curvature(block) : 0);
  for (int sweep = 1; sweep <= most_sweeps; ++sweep) {
    double worst = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const Block& block = blocks[b];
      if (penalty.grouped) {
        worst = std::max(worst, move_group(penalty.each, block, curvature_[b], v, u, tolerance));
        continue;
      }
      for (std::size_t k = block.begin; k < block.begin + block.size; ++k) {
        worst = std::max(worst, move(penalty.each, k, v, u));
      }
      for (const bool zeros : {true, false}) {
        if (!zeros || block.whole) shift(penalty.each, block, zeros, v, u, tolerance);
      }
    }
    if (worst <= tolerance) return sweep;
    poll(size() * size());
  }
  return most_sweeps;
}

double SoftmaxQuadratic::greatest_curvature(const Block& block) {
  double most = 0;
  for (std::size_t a = block.begin; a < block.begin + block.size; ++a) {
    double sum = 0;
    for (std::size_t b = block.begin; b < block.begin + block.size; ++b) sum += std::abs(row(a)[b]);
    most = std::max(most, sum);
  }
  return most;
}

// Proximal gradient steps on the block, then all others see where it went.
double SoftmaxQuadratic::move_group(const Penalty& penalty, const Block& block, double curvature, std::span<double> v,
                                    std::span<double> u, double tolerance) {
  constexpr int kMostSteps = 20;
  const double bend = curvature + penalty.ridge();
  if (!(bend > 0)) return 0;
  const std::size_t n = block.size;
  const auto weights = u.subspan(block.begin, n);
  start_.assign(weights.begin(), weights.end());
  gradient_.assign(v.begin() + static_cast<std::ptrdiff_t>(block.begin),
                   v.begin() + static_cast<std::ptrdiff_t>(block.begin + n));
  pull_.resize(n);
  double first = 0;
  for (int step = 0; step < kMostSteps; ++step) {
    for (std::size_t c = 0; c < n; ++c) pull_[c] = curvature * weights[c] + gradient_[c];
    const double length = JointPenalty::length(pull_);
    const double factor = length <= penalty.l1_ratio ? 0 : (1 - penalty.l1_ratio / length) / bend;
    double moved = 0;
    for (std::size_t c = 0; c < n; ++c) {
      const double change = factor * pull_[c] - weights[c];
      if (change == 0) continue;
      moved += change * change;
      weights[c] = factor * pull_[c];
      const double* h = row(block.begin + c) + block.begin;
      for (std::size_t b = 0; b < n; ++b) gradient_[b] -= change * h[b];
    }
    const double violation = std::sqrt(moved) * bend;
    if (step == 0) first = violation;
    if (violation <= std::max(tolerance, first) / 8) break;
  }
  for (std::size_t c = 0; c < n; ++c) {
    const double change = weights[c] - start_[c];
    if (change == 0) continue;
    const double* h = row(block.begin + c);
    for (std::size_t l = 0; l < size(); ++l) v[l] -= change * h[l];
  }
  return first;
}

// min over δ of ½s·δ² − t·δ + Σ R(u_c + δ), s and t the sums of H and v over what moves: its slope jumps by 2ρ at each
// −u_c, and rises between.
void SoftmaxQuadratic::shift(const Penalty& penalty, const Block& block, bool zeros, std::span<double> v,
                             std::span<double> u, double tolerance) {
  places_.clear();
  for (std::size_t a = block.begin; a < block.begin + block.size; ++a) {
    if (zeros || u[a] != 0) places_.push_back(a);
  }
  const std::size_t n = places_.size();
  if (n < 2) return;
  double curvature = 0, slope = 0, at_zero = 0, signs = 0;
  for (const std::size_t a : places_) {
    for (const std::size_t b : places_) curvature += row(a)[b];
    slope += penalty.ridge() * u[a] - v[a];
    at_zero += u[a] == 0 ? 1 : 0;
    signs += u[a] > 0 ? 1 : u[a] < 0 ? -1 : 0;
  }
  const double rho = penalty.l1_ratio;
  if (std::abs(slope + rho * signs) <= rho * at_zero + tolerance) return;
  curvature = std::max(curvature, 0.0) + penalty.ridge() * static_cast<double>(n);
  jumps_.clear();
  for (const std::size_t a : places_) jumps_.push_back(-u[a]);
  std::sort(jumps_.begin(), jumps_.end());
  double best = 0;
  for (std::size_t m = 0; m <= n; ++m) {  // m of the jumps are behind
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double low = m > 0 ? jumps_[m - 1] : -kInfinity, high = m < n ? jumps_[m] : kInfinity;
    const double level = slope + rho * (2 * static_cast<double>(m) - static_cast<double>(n));
    if (m < n && level + curvature * high < 0) continue;
    best = curvature > 0 ? std::clamp(-level / curvature, low, high) : m > 0 ? low : high;
    break;
  }
  if (best == 0 || !std::isfinite(best)) return;
  for (const std::size_t a : places_) {
    u[a] += best;
    const double* h = row(a);
    for (std::size_t l = 0; l < size(); ++l) v[l] -= best * h[l];
  }
}

}  // namespace linsep

#include "learn/margin/l1_quadratic.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/deadline.h"
#include "kernel/kernel.h"

namespace linsep {

// In tiles, each of which is read and written while it is in a cache.
void L1Quadratic::mirror() {
  constexpr std::size_t kTile = 32;
  for (std::size_t top = 0; top < size_; top += kTile) {
    for (std::size_t left = top; left < size_; left += kTile) {
      const std::size_t bottom = std::min(top + kTile, size_), right = std::min(left + kTile, size_);
      for (std::size_t l = left; l < right; ++l) {
        double* h = row(l);
        for (std::size_t k = top; k < std::min(bottom, l); ++k) h[k] = row(k)[l];
      }
    }
  }
}

void L1Quadratic::add_square(std::span<const double> s, double factor, double t, std::span<double> v) {
  for (std::size_t k = 0; k < size_; ++k) {
    const double scaled = factor * s[k];
    double* h = row(k);
    for (std::size_t l = 0; l < size_; ++l) h[l] += scaled * s[l];
    v[k] += scaled * t;
  }
}

double L1Quadratic::move(const Penalty& penalty, std::size_t k, std::span<double> v, std::span<double> u) {
  const double* h = row(k);
  const double curvature = h[k] + penalty.ridge(), threshold = penalty.l1_ratio;
  const double pull = h[k] * u[k] + v[k];
  const bool to_zero = std::abs(pull) <= threshold;
  if (!to_zero && !(curvature > 0)) return 0;  // without curvature there is no best place but 0
  const double best = to_zero ? 0 : (pull - std::copysign(threshold, pull)) / curvature;
  const double step = best - u[k];
  if (step == 0) return 0;
  u[k] = best;
  axpy(-step, DenseRow<double>{h, size_}, v.data());
  return std::abs(step) * curvature;
}

int L1Quadratic::solve(const JointPenalty& penalty, std::span<const Block> blocks, std::span<double> v,
                       std::span<double> u, double tolerance, int most_sweeps) {
  curvature_.clear();
  for (const Block& block : blocks) curvature_.push_back(penalty.grouped ? greatest_curvature(block) : 0);
  for (int sweep = 1; sweep <= most_sweeps; ++sweep) {
    double worst = 0;
    for (std::size_t k = 0; k < size_ && blocks.empty(); ++k) worst = std::max(worst, move(penalty.each, k, v, u));
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
    poll(size_ * size_);
  }
  return most_sweeps;
}

std::vector<double> L1Quadratic::minimizer(const JointPenalty& penalty, std::span<const Block> blocks,
                                           std::span<const double> v, std::span<const double> start,
                                           std::span<const double> diagonal, double worst, ProximalStep& step) {
  constexpr int kMostSweeps = 2000;
  const auto value = [&](std::span<const double> at) {
    if (!penalty.grouped) return penalty.value(at);
    Sum sum;
    for (const Block& block : blocks) {
      sum.add(penalty.each.value(JointPenalty::length(at.subspan(block.begin, block.size))));
    }
    return sum.value();
  };
  std::vector<double> u, rest;
  for (;;) {
    for (std::size_t k = 0; k < size_; ++k) row(k)[k] = (1 + step.damping) * diagonal[k];
    u.assign(start.begin(), start.end());
    rest.assign(v.begin(), v.end());
    solve(penalty, blocks, rest, u, ProximalStep::accuracy(worst), kMostSweeps);
    Sum gain;  // of the model: v·d − ½dᵀHd − R(u) + R(w)
    for (std::size_t k = 0; k < size_; ++k) gain.add((v[k] + rest[k]) / 2 * (u[k] - start[k]));
    gain.add(value(start) - value(u));
    if (!step.damps(gain.value())) return u;
  }
}

double L1Quadratic::greatest_curvature(const Block& block) {
  double most = 0;
  for (std::size_t a = block.begin; a < block.begin + block.size; ++a) {
    double sum = 0;
    for (std::size_t b = block.begin; b < block.begin + block.size; ++b) sum += std::abs(row(a)[b]);
    most = std::max(most, sum);
  }
  return most;
}

// Proximal gradient steps on the block, then all others see where it went.
double L1Quadratic::move_group(const Penalty& penalty, const Block& block, double curvature, std::span<double> v,
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
void L1Quadratic::shift(const Penalty& penalty, const Block& block, bool zeros, std::span<double> v,
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

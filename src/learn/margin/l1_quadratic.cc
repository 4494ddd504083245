#include "learn/margin/l1_quadratic.h"

#include <algorithm>
#include <cmath>

#include "core/deadline.h"
#include "kernel/kernel.h"

namespace linsep {

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

int L1Quadratic::solve(const Penalty& penalty, std::span<double> v, std::span<double> u, double tolerance,
                       int most_sweeps) {
  for (int sweep = 1; sweep <= most_sweeps; ++sweep) {
    double worst = 0;
    for (std::size_t k = 0; k < size_; ++k) worst = std::max(worst, move(penalty, k, v, u));
    if (worst <= tolerance) return sweep;
    poll(size_ * size_);
  }
  return most_sweeps;
}

}  // namespace linsep

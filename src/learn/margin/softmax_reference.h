// For tests: bounds on the least objective of the softmax loss on small problems, by Newton's method with a full
// Hessian in long double, for penalties with an L1 part with a barrier. It shares nothing with the solvers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "learn/margin/reference.h"

namespace linsep::reference {

/// min Σ weight·(log Σ_c e^z_c − z_y)/Σ weight + λ·R(Θ), R = (1 − ρ)/2·‖Θ‖² + ρ·‖Θ‖₁, or, grouped, the sum of the
/// lengths of every feature's weights instead of ‖Θ‖₁. Weights are class by class, each class's offset last.
struct SoftmaxProblem {
  std::vector<std::vector<double>> x;
  std::vector<std::size_t> y;
  std::vector<double> weight;
  std::size_t classes = 2;
  bool origin = false;
  double lambda = 1, l1_ratio = 0;  ///< ρ
  bool grouped = false;

  std::size_t features() const { return x[0].size(); }
  std::size_t width() const { return features() + 1; }
  Real total() const {
    Real sum = 0;
    for (const double w : weight) sum += w;
    return sum;
  }
  Vector scores(const Vector& w, std::size_t i) const {
    Vector z(classes, 0);
    for (std::size_t c = 0; c < classes; ++c) {
      z[c] = w[c * width() + features()];
      for (std::size_t j = 0; j < features(); ++j) z[c] += w[c * width() + j] * x[i][j];
    }
    return z;
  }
};

/// Probabilities; returns log Σ e^z.
inline Real softmax(const Vector& z, Vector& p) {
  const Real greatest = *std::max_element(z.begin(), z.end());
  Real sum = 0;
  p = z;
  for (Real& share : p) sum += share = expl(share - greatest);
  for (Real& share : p) share /= sum;
  return greatest + logl(sum);
}

inline Real softmax_objective(const SoftmaxProblem& p, const Vector& w) {
  Real sum = 0, square = 0;
  Vector share;
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    const Vector z = p.scores(w, i);
    sum += p.weight[i] * (softmax(z, share) - z[p.y[i]]);
  }
  Real l1 = 0;
  for (std::size_t j = 0; j < p.features(); ++j) {
    Real of_feature = 0;
    for (std::size_t c = 0; c < p.classes; ++c) {
      const Real weight = w[c * p.width() + j];
      of_feature += weight * weight;
      l1 += p.grouped ? 0 : fabsl(weight);
    }
    square += of_feature;
    l1 += p.grouped ? sqrtl(of_feature) : 0;
  }
  return sum / p.total() + p.lambda * ((1 - static_cast<Real>(p.l1_ratio)) / 2 * square + p.l1_ratio * l1);
}

/// The gradient, and the Hessian with minus the gradient as last column, without the L1 part. The offset of the first
/// class stays 0.
inline Vector softmax_derivatives(const SoftmaxProblem& p, const Vector& w, std::vector<Vector>& h) {
  const std::size_t width = p.width(), size = p.classes * width;
  Vector g(size, 0), share;
  h.assign(size, Vector(size + 1, 0));
  for (std::size_t k = 0; k < size; ++k) {
    if (k % width == p.features()) continue;
    const Real ridge = p.lambda * (1 - static_cast<Real>(p.l1_ratio));
    g[k] = ridge * w[k];
    h[k][k] = ridge;
  }
  const auto value = [&](std::size_t i, std::size_t k) -> Real {
    return k % width == p.features() ? 1 : p.x[i][k % width];
  };
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    softmax(p.scores(w, i), share);
    const Real weight = p.weight[i] / p.total();
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t c = k / width;
      g[k] += weight * (share[c] - (c == p.y[i] ? 1 : 0)) * value(i, k);
      for (std::size_t l = 0; l < size; ++l) {
        const std::size_t a = l / width;
        h[k][l] += weight * share[c] * ((a == c ? 1 : 0) - share[a]) * value(i, k) * value(i, l);
      }
    }
  }
  for (std::size_t k = 0; k < size; ++k) {
    const bool fixed = k % width == p.features() && (p.origin || k < width);
    if (fixed) {
      g[k] = 0;
      std::fill(h[k].begin(), h[k].end(), 0);
      for (Vector& row : h) row[k] = 0;
      h[k][k] = 1;
    }
    h[k][size] = -g[k];
  }
  return g;
}

/// REQUIRES: ρ = 0.
inline Bounds least_softmax(const SoftmaxProblem& p) {
  const std::size_t size = p.classes * p.width();
  Vector w(size, 0);
  std::vector<Vector> h;
  Bounds least{-INFINITY, INFINITY};
  for (int step = 0; step < 200; ++step) {
    const Vector g = softmax_derivatives(p, w, h);
    Real square = 0, slope = 0;
    for (std::size_t k = 0; k < size; ++k)
      (k % p.width() == p.features() ? slope : square) += k % p.width() == p.features() ? fabsl(g[k]) : g[k] * g[k];
    // As in least_smooth: strong convexity in Θ, and offsets that are off by 100 at most.
    const Real value = softmax_objective(p, w), low = value - square / (2 * p.lambda) - 100 * slope;
    if (!(value < least.high) && !(low > least.low)) break;
    least = {std::max(least.low, low), std::min(least.high, value)};
    eliminate(h);
    const auto moved = [&](Real t) {
      Vector next = w;
      for (std::size_t k = 0; k < size; ++k) next[k] += t * h[k][size] / h[k][k];
      return next;
    };
    Real t = 1;
    while (t > 1e-18L && !(softmax_objective(p, moved(t)) < value)) t /= 2;
    // Where rounding hides that the value falls, the gradient still does: some machines' expl is no better than exp.
    w = moved(t > 1e-18L ? t : 1);
  }
  return least;
}

/// The L1 part as the least Σ t_u with ‖Θ_u‖ ≤ t_u for every unit u (a weight, or a feature's weights), and
/// −μ·Σ log(t_u² − ‖Θ_u‖²) to keep inside. At its least point the objective is within 2μ·units of the least possible.
struct SoftmaxBarrier {
  explicit SoftmaxBarrier(const SoftmaxProblem& problem) : p(problem) {
    for (std::size_t j = 0; j < p.features(); ++j) {
      for (std::size_t c = 0; c < p.classes; ++c) {
        if (c == 0 || !p.grouped) units.emplace_back();
        units.back().push_back(c * p.width() + j);
      }
    }
    w.assign(p.classes * p.width(), 0);
    t.assign(units.size(), 1);
  }

  Real slack(std::size_t u, const Vector& weights, const Vector& bounds) const {
    Real rest = bounds[u] * bounds[u];
    for (const std::size_t k : units[u]) rest -= weights[k] * weights[k];
    return bounds[u] > 0 ? rest : -1;
  }
  /// Infinite outside.
  Real value(const Vector& weights, const Vector& bounds, Real mu) const {
    SoftmaxProblem smooth = p;
    Real sum = 0;
    for (std::size_t u = 0; u < units.size(); ++u) {
      const Real inside = slack(u, weights, bounds);
      if (!(inside > 0)) return INFINITY;
      sum += p.lambda * static_cast<Real>(p.l1_ratio) * bounds[u] - mu * logl(inside);
    }
    Real square = 0;
    for (const auto& unit : units) {
      for (const std::size_t k : unit) square += weights[k] * weights[k];
    }
    smooth.lambda = 0;
    return softmax_objective(smooth, weights) + p.lambda * (1 - static_cast<Real>(p.l1_ratio)) / 2 * square + sum;
  }
  /// One step of Newton's method, weights and bounds together; false where it no longer lowers the value.
  bool step(Real mu) {
    std::vector<Vector> h;
    const std::size_t size = w.size();
    Vector g = softmax_derivatives(p, w, h);
    h.resize(size + t.size());
    for (std::size_t k = 0; k < h.size(); ++k) {
      const Real right = k < size ? h[k][size] : 0;
      h[k].resize(h.size() + 1, 0);
      if (k < size) h[k][size] = 0;
      h[k].back() = right;
    }
    for (std::size_t u = 0; u < units.size(); ++u) {
      const Real inside = slack(u, w, t), factor = 2 * mu / inside, twice = 2 * factor / inside;
      const std::size_t at = size + u;
      h[at][at] = -factor + twice * t[u] * t[u];
      h[at].back() = factor * t[u] - p.lambda * static_cast<Real>(p.l1_ratio);
      for (const std::size_t k : units[u]) {
        h[k][at] = h[at][k] = -twice * t[u] * w[k];
        h[k].back() -= factor * w[k];
        for (const std::size_t l : units[u]) h[k][l] += twice * w[k] * w[l] + (k == l ? factor : 0);
      }
    }
    Real promised = 0;
    std::vector<Vector> solved = h;
    eliminate(solved);
    Vector next = w, bounds = t;
    for (std::size_t k = 0; k < h.size(); ++k) promised += h[k].back() * solved[k].back() / solved[k][k];
    const Real now = value(w, t, mu);
    Real length = 1;
    for (int halving = 0; halving < 70; ++halving, length /= 2) {
      for (std::size_t k = 0; k < size; ++k) next[k] = w[k] + length * solved[k].back() / solved[k][k];
      for (std::size_t u = 0; u < t.size(); ++u) {
        bounds[u] = t[u] + length * solved[size + u].back() / solved[size + u][size + u];
      }
      if (value(next, bounds, mu) <= now - length * promised / 10) break;
    }
    if (!(value(next, bounds, mu) < now)) return false;
    w = next;
    t = bounds;
    return promised > 1e-4L * mu;
  }

  const SoftmaxProblem& p;
  std::vector<std::vector<std::size_t>> units;
  Vector w, t;
};

/// REQUIRES: ρ > 0.
inline Bounds least_sparse_softmax(const SoftmaxProblem& p) {
  SoftmaxBarrier barrier(p);
  Real mu = softmax_objective(p, barrier.w);
  for (; mu > 1e-15L * softmax_objective(p, barrier.w); mu /= 8) {
    for (int step = 0; step < 50 && barrier.step(mu); ++step) {
    }
  }
  const Real best = softmax_objective(p, barrier.w);
  return {best - 3 * 8 * mu * static_cast<Real>(barrier.units.size()), best};
}

}  // namespace linsep::reference

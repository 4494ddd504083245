// For tests: bounds on the least objective of the softmax loss on small problems, by Newton's method with a full
// Hessian in long double. It shares nothing with the solver.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "learn/margin/reference.h"

namespace linsep::reference {

/// min Σ weight·(log Σ_c e^z_c − z_y)/Σ weight + λ/2·Σ‖θ_c‖². Weights are class by class, each class's offset last.
struct SoftmaxProblem {
  std::vector<std::vector<double>> x;
  std::vector<std::size_t> y;
  std::vector<double> weight;
  std::size_t classes = 2;
  bool origin = false;
  double lambda = 1;

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
  for (std::size_t c = 0; c < p.classes; ++c) {
    for (std::size_t j = 0; j < p.features(); ++j) square += w[c * p.width() + j] * w[c * p.width() + j];
  }
  return sum / p.total() + p.lambda / 2 * square;
}

/// The gradient, and the Hessian with minus the gradient as last column. The offset of the first class stays 0.
inline Vector softmax_derivatives(const SoftmaxProblem& p, const Vector& w, std::vector<Vector>& h) {
  const std::size_t width = p.width(), size = p.classes * width;
  Vector g(size, 0), share;
  h.assign(size, Vector(size + 1, 0));
  for (std::size_t k = 0; k < size; ++k) {
    if (k % width == p.features()) continue;
    g[k] = p.lambda * w[k];
    h[k][k] = p.lambda;
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

inline Bounds least_softmax(const SoftmaxProblem& p) {
  const std::size_t size = p.classes * p.width();
  Vector w(size, 0);
  std::vector<Vector> h;
  Real best = softmax_objective(p, w), square = 0, slope = 0;
  for (int step = 0; step < 200; ++step) {
    const Vector g = softmax_derivatives(p, w, h);
    square = slope = 0;
    for (std::size_t k = 0; k < size; ++k)
      (k % p.width() == p.features() ? slope : square) += k % p.width() == p.features() ? fabsl(g[k]) : g[k] * g[k];
    eliminate(h);
    Vector next = w;
    Real t = 1, value = best;
    for (int halving = 0; halving < 60; ++halving, t /= 2) {
      for (std::size_t k = 0; k < size; ++k) next[k] = w[k] + t * h[k][size] / h[k][k];
      value = softmax_objective(p, next);
      if (value < best) break;
    }
    if (!(value < best)) break;
    w = next;
    best = value;
  }
  // As in least_smooth: strong convexity in Θ, and offsets that are off by 100 at most.
  return {best - square / (2 * p.lambda) - 100 * slope, best};
}

}  // namespace linsep::reference

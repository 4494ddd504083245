// For tests: bounds on the least objective of small problems, by slow methods in long double that share nothing with
// the solvers: pairwise coordinate steps (the hinge's dual), and Newton's method with a full Hessian (smooth losses).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "linsep/choices.h"

namespace linsep::reference {

using Real = long double;
using Vector = std::vector<Real>;

/// min Σ weight·loss/Σ weight + λ/2‖θ‖².
struct Problem {
  std::vector<std::vector<double>> x;
  std::vector<double> y, weight;
  Loss loss = Loss::kHinge;
  bool origin = false;
  double lambda = 1;

  std::size_t rows() const { return x.size(); }
  std::size_t features() const { return x.empty() ? 0 : x[0].size(); }
  Real total() const {
    Real sum = 0;
    for (const double w : weight) sum += w;
    return sum;
  }
};

inline Real loss(Loss kind, Real m) {
  const Real t = std::max<Real>(0, 1 - m);
  switch (kind) {
    case Loss::kHinge:
      return t;
    case Loss::kSquaredHinge:
      return t * t;
    case Loss::kLogistic:
      return log1pl(expl(-fabsl(m))) + std::max<Real>(0, -m);
    case Loss::kSoftmax:
      break;
  }
  return NAN;
}

/// −ℓ′(m) and ℓ″(m) of a smooth loss.
struct Bend {
  Real slope = 0, curvature = 0;
};
inline Bend bend(Loss kind, Real m) {
  const Real t = std::max<Real>(0, 1 - m), e = expl(-fabsl(m)), q = 1 / (1 + e);
  switch (kind) {
    case Loss::kSquaredHinge:
      return {2 * t, t > 0 ? 2.0L : 0.0L};
    case Loss::kLogistic:
      return {m > 0 ? e * q : q, e * q * q};
    case Loss::kHinge:
    case Loss::kSoftmax:
      break;
  }
  return {NAN, NAN};
}

template <class Theta>
Real objective(const Problem& p, const Theta& theta, Real offset) {
  Real sum = 0, square = 0;
  for (std::size_t j = 0; j < p.features(); ++j) square += static_cast<Real>(theta[j]) * theta[j];
  for (std::size_t i = 0; i < p.rows(); ++i) {
    Real z = offset;
    for (std::size_t j = 0; j < p.features(); ++j) z += static_cast<Real>(theta[j]) * p.x[i][j];
    sum += p.weight[i] * loss(p.loss, p.y[i] * z);
  }
  return sum / p.total() + p.lambda / 2 * square;
}

struct Bounds {
  Real low = 0, high = 0;  ///< low ≤ least objective ≤ high
};

/// The hinge's dual: α, and the scores z of Σ α_i y_i x_i.
struct HingeDual {
  explicit HingeDual(const Problem& problem)
      : p(problem), n(p.rows()), c(n), alpha(n, 0), z(n, 0), gram(n, Vector(n, 0)) {
    const Real scale = 1 / (p.lambda * p.total());
    for (std::size_t i = 0; i < n; ++i) {
      c[i] = scale * p.weight[i];
      for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t j = 0; j < p.features(); ++j) gram[i][k] += static_cast<Real>(p.x[i][j]) * p.x[k][j];
      }
    }
  }

  /// α_i y_i grows by `by`.
  void move(std::size_t i, Real by) {
    alpha[i] = std::clamp<Real>(alpha[i] + by * p.y[i], 0, c[i]);
    for (std::size_t k = 0; k < n; ++k) z[k] += by * gram[i][k];
  }

  /// Moves the row that violates optimality most to its optimum; false where none does.
  bool move_row() {
    std::size_t at = n;
    Real worst = 1e-16L;
    for (std::size_t i = 0; i < n; ++i) {
      const Real g = p.y[i] * z[i] - 1;
      const Real v = alpha[i] > 0 && alpha[i] < c[i] ? fabsl(g) : alpha[i] == 0 ? -g : g;
      if (c[i] > 0 && v > worst) worst = v, at = i;
    }
    if (at == n) return false;
    const Real g = p.y[at] * z[at] - 1, old = alpha[at];
    const Real to = gram[at][at] > 0 ? std::clamp<Real>(old - g / gram[at][at], 0, c[at]) : (g < 0 ? c[at] : 0);
    const Real by = (to - old) * p.y[at];
    move(at, by);
    alpha[at] = to;
    return by != 0;
  }

  /// The same for a pair of rows, whose Σ α_i y_i stays. t = y − z: moving α_i y_i up pays for large t, down for small.
  bool move_pair() {
    std::size_t up = n, down = n;
    for (std::size_t i = 0; i < n; ++i) {
      const Real t = p.y[i] - z[i];
      const bool can_up = p.y[i] > 0 ? alpha[i] < c[i] : alpha[i] > 0;
      const bool can_down = p.y[i] > 0 ? alpha[i] > 0 : alpha[i] < c[i];
      if (can_up && (up == n || t > p.y[up] - z[up])) up = i;
      if (can_down && (down == n || t < p.y[down] - z[down])) down = i;
    }
    if (up == n || down == n) return false;
    const Real slope = (p.y[up] - z[up]) - (p.y[down] - z[down]);
    if (slope <= 1e-16L) return false;
    const Real curve = gram[up][up] + gram[down][down] - 2 * gram[up][down];
    const Real room_up = p.y[up] > 0 ? c[up] - alpha[up] : alpha[up];
    const Real room_down = p.y[down] > 0 ? alpha[down] : c[down] - alpha[down];
    const Real by = std::min({curve > 0 ? slope / curve : room_up, room_up, room_down});
    const bool fills_up = by == room_up, fills_down = by == room_down;
    move(up, by);
    move(down, -by);
    if (fills_up) alpha[up] = p.y[up] > 0 ? c[up] : 0;
    if (fills_down) alpha[down] = p.y[down] > 0 ? 0 : c[down];
    return true;
  }

  const Problem& p;
  std::size_t n;
  Vector c, alpha, z;
  std::vector<Vector> gram;
};

/// Hinge: the pair of rows (or, through the origin, the row) that violates optimality most, moved to its optimum.
inline Bounds least_hinge(const Problem& p, std::int64_t most_steps = 400000) {
  const std::size_t n = p.rows(), d = p.features();
  HingeDual dual(p);
  for (std::int64_t step = 0; step < most_steps && (p.origin ? dual.move_row() : dual.move_pair()); ++step) {
  }
  const Vector& alpha = dual.alpha;
  Vector theta(d, 0);
  Real sum = 0, square = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sum += alpha[i];
    for (std::size_t j = 0; j < d; ++j) theta[j] += alpha[i] * p.y[i] * p.x[i][j];
  }
  for (const Real t : theta) square += t * t;
  // The best offset is one at which some row's loss bends.
  Real high = objective(p, theta, 0);
  if (!p.origin) {
    for (std::size_t i = 0; i < n; ++i) {
      Real dot = 0;
      for (std::size_t j = 0; j < d; ++j) dot += theta[j] * p.x[i][j];
      high = std::min(high, objective(p, theta, p.y[i] - dot));
    }
  }
  return {p.lambda * (sum - square / 2), high};
}

/// Gauss-Jordan on a matrix with its right-hand side as last column, pivots from the diagonal's column: the solution is
/// h[j].back() / h[j][j].
inline void eliminate(std::vector<Vector>& h) {
  const std::size_t m = h.size();
  for (std::size_t k = 0; k < m; ++k) {
    std::size_t pivot = k;
    for (std::size_t j = k + 1; j < m; ++j) {
      if (fabsl(h[j][k]) > fabsl(h[pivot][k])) pivot = j;
    }
    std::swap(h[k], h[pivot]);
    for (std::size_t j = 0; j < m; ++j) {
      if (j == k) continue;
      const Real f = h[j][k] / h[k][k];
      for (std::size_t l = k; l <= m; ++l) h[j][l] -= f * h[k][l];
    }
  }
}

/// Smooth losses: Newton on (θ, θ0) with halving; the lower bound is from strong convexity in θ at a stationary offset.
inline Bounds least_smooth(const Problem& p) {
  const std::size_t n = p.rows(), d = p.features(), m = d + (p.origin ? 0 : 1);
  const Real total = p.total();
  Vector w(m, 0);
  const auto value = [&](const Vector& v) { return objective(p, v, p.origin ? 0 : v[d]); };
  Real best = value(w), gradient_square = 0, offset_slope = 0;
  for (int step = 0; step < 500; ++step) {
    Vector g(m, 0);
    std::vector<Vector> h(m, Vector(m + 1, 0));
    for (std::size_t j = 0; j < d; ++j) {
      g[j] = p.lambda * w[j];
      h[j][j] = p.lambda;
    }
    for (std::size_t i = 0; i < n; ++i) {
      Vector x(p.x[i].begin(), p.x[i].end());
      if (!p.origin) x.push_back(1);
      Real z = 0;
      for (std::size_t j = 0; j < m; ++j) z += x[j] * w[j];
      const auto [slope, curve] = bend(p.loss, p.y[i] * z);
      for (std::size_t j = 0; j < m; ++j) {
        g[j] -= p.weight[i] / total * slope * p.y[i] * x[j];
        for (std::size_t k = 0; k < m; ++k) h[j][k] += p.weight[i] / total * curve * x[j] * x[k];
      }
    }
    gradient_square = 0;
    for (std::size_t j = 0; j < d; ++j) gradient_square += g[j] * g[j];
    offset_slope = p.origin ? 0 : fabsl(g[d]);
    for (std::size_t j = 0; j < m; ++j) {
      h[j][j] *= 1 + 1e-17L;
      h[j][m] = -g[j];
    }
    if (!p.origin && h[d][d] < 1e-30L) h[d][d] = 1e-30L;
    eliminate(h);
    Vector next = w;
    Real t = 1, lower = best;
    for (int halving = 0; halving < 60; ++halving, t /= 2) {
      for (std::size_t j = 0; j < m; ++j) next[j] = w[j] + t * h[j][m] / h[j][j];
      lower = value(next);
      if (lower < best) break;
    }
    if (!(lower < best)) break;
    w = next;
    best = lower;
  }
  // F* ≥ F − ‖∇_θ F‖²/(2λ) − |∂F/∂θ0|·(how far the offset can be off, taken as 100).
  return {best - gradient_square / (2 * p.lambda) - 100 * offset_slope, best};
}

inline Bounds least_objective(const Problem& p) { return p.loss == Loss::kHinge ? least_hinge(p) : least_smooth(p); }

}  // namespace linsep::reference

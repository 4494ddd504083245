// The penalty of the margin learner, beside the loss: R in F(θ, θ0) = R(θ) + Σ c_i·ℓ(m_i) (gap.h), not of the offset.
//
//   R(θ) = ρ‖θ‖₁ + (1 − ρ)/2·‖θ‖²        ρ = 0: l2 (ridge); ρ = 1: l1 (lasso); between: elastic net
//   R*(v) = Σ max(0, |v_j| − ρ)²/(2(1 − ρ)); for ρ = 1 it is 0 where no |v_j| exceeds 1, and infinite elsewhere
//
// Bounds rest on three facts of a penalty: its value, its conjugate R*(v) = max over θ of v·θ − R(θ), which the dual
// objective subtracts at v = Σ α_i·y_i·x_i, and how far θ can be from the optimum.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "numeric/compensated_sum.h"

namespace linsep {

/// ½‖w + t·s‖² as a function of t.
struct RidgeAlong {
  double square = 0, product = 0, step_square = 0;  ///< ‖w‖², w·s, ‖s‖²
  double operator()(double t) const { return (square + 2 * t * product + t * t * step_square) / 2; }
  double slope(double t) const { return product + t * step_square; }
  double curvature() const { return step_square; }
};

struct Penalty {
  double l1_ratio = 0;  ///< ρ

  bool has_l1() const { return l1_ratio > 0; }
  bool lasso() const { return l1_ratio == 1; }
  /// The weight of ½‖θ‖².
  double ridge() const { return 1 - l1_ratio; }

  double value(std::span<const double> theta) const {
    if (!has_l1()) return squared_length(theta) / 2;
    Sum sum;
    for (const double x : theta) sum.add(value(x));
    return sum.value();
  }
  double value(double weight) const { return l1_ratio * std::abs(weight) + ridge() / 2 * (weight * weight); }
  double conjugate(std::span<const double> v) const {
    if (!has_l1()) return squared_length(v) / 2;
    Sum sum;
    for (const double x : v) sum.add(conjugate(x));
    return sum.value();
  }
  double conjugate(double v) const {
    const double excess = std::max(0.0, std::abs(v) - l1_ratio);
    if (lasso()) return excess > 0 ? std::numeric_limits<double>::infinity() : 0;
    return excess * excess / (2 * ridge());
  }
  /// What R′ lacks of `v`, its least distance over all subgradients: 0 where the weight is optimal.
  double violation(double weight, double v) const {
    if (weight == 0) return std::max(0.0, std::abs(v) - l1_ratio);
    return std::abs(std::copysign(l1_ratio, weight) + ridge() * weight - v);
  }
  /// At least ‖θ − θ*‖ where F(θ) − F(θ*) is at most `excess`: R is strongly convex unless ρ = 1, where nothing is
  /// known (infinity).
  double farthest(double excess) const { return std::sqrt(2 * excess / ridge()); }

  // For solvers of the ridge penalty alone. REQUIRES: ρ = 0.

  /// R′ for one weight.
  double slope(double weight) const { return weight; }
  /// R(θ) + R*(v) − v·θ ≥ 0, given R′(θ) − v.
  double fenchel_gap(std::span<const double> difference) const { return squared_length(difference) / 2; }

  RidgeAlong along(std::span<const double> w, std::span<const double> step) const {
    Sum product;
    for (std::size_t j = 0; j < w.size(); ++j) product.add(w[j] * step[j]);
    return {squared_length(w), product.value(), squared_length(step)};
  }
};

/// The penalty of several classes' weights Θ, all classes of a feature together. Grouped, R(Θ) is ρ·Σ_j‖Θ_j‖₂ +
/// (1 − ρ)/2·‖Θ‖² with Θ_j the weights of feature j; else every weight stands by itself. What is penalized as one is a
/// unit: `unit()` weights one after another, whose length takes the place of |θ_j|.
struct JointPenalty {
  Penalty each = {};
  bool grouped = false;
  std::size_t classes = 1;

  std::size_t unit() const { return grouped ? classes : 1; }

  static double length(std::span<const double> unit) {
    if (unit.size() == 1) return std::abs(unit[0]);
    double square = 0;
    for (const double x : unit) square += x * x;
    return std::sqrt(square);
  }
  double value(std::span<const double> theta) const {
    Sum sum;
    for (std::size_t a = 0; a < theta.size(); a += unit()) sum.add(each.value(length(theta.subspan(a, unit()))));
    return sum.value();
  }
  /// What the subgradients of R lack of `v` on a unit: 0 where its weights are optimal.
  double violation(std::span<const double> weights, std::span<const double> v) const {
    if (!grouped) return each.violation(weights[0], v[0]);
    const double size = length(weights);
    if (size == 0) return std::max(0.0, length(v) - each.l1_ratio);
    double square = 0;
    for (std::size_t c = 0; c < v.size(); ++c) {
      const double rest = (each.l1_ratio / size + each.ridge()) * weights[c] - v[c];
      square += rest * rest;
    }
    return std::sqrt(square);
  }
};

}  // namespace linsep

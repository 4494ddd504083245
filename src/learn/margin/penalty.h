// The penalty of the margin learner, beside the loss: R in F(θ, θ0) = R(θ) + Σ c_i·ℓ(m_i) (gap.h), not of the offset.
//
//   ridge   R(θ) = ½‖θ‖²   R*(v) = ½‖v‖²
//
// Bounds rest on four facts of a penalty: its value, its conjugate R*(v) = max over θ of v·θ − R(θ), which the dual
// objective subtracts at v = Σ α_i·y_i·x_i, the Fenchel gap R(θ) + R*(v) − v·θ ≥ 0, and how far θ can be from the
// optimum.
#pragma once

#include <cmath>
#include <span>

#include "numeric/compensated_sum.h"

namespace linsep {

/// R at w + t·s as a function of t.
struct PenaltyAlong {
  double square = 0, product = 0, step_square = 0;  ///< ‖w‖², w·s, ‖s‖²
  double operator()(double t) const { return (square + 2 * t * product + t * t * step_square) / 2; }
};

struct Penalty {
  double value(std::span<const double> theta) const { return squared_length(theta) / 2; }
  double conjugate(std::span<const double> v) const { return squared_length(v) / 2; }
  /// R′ for one weight.
  double slope(double weight) const { return weight; }
  /// R(θ) + R*(v) − v·θ, given R′(θ) − v.
  double fenchel_gap(std::span<const double> difference) const { return squared_length(difference) / 2; }
  /// At least ‖θ − θ*‖ where F(θ) − F(θ*) is at most `excess`: R is strongly convex.
  double farthest(double excess) const { return std::sqrt(2 * excess); }

  PenaltyAlong along(std::span<const double> w, std::span<const double> step) const {
    Sum product;
    for (std::size_t j = 0; j < w.size(); ++j) product.add(w[j] * step[j]);
    return {squared_length(w), product.value(), squared_length(step)};
  }
};

}  // namespace linsep

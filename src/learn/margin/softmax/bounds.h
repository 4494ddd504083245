// What rounding can do to the bounds of the softmax loss, and the dual point made feasible.
//
// The dual of F (task.h) is D(P) = Σ c_i·H(P_i) − ½Σ_c‖v_c‖² over distributions P_i of the classes, with entropy H and
// v_c = Σ c_i(1[y_i = c] − P_ic)x_i, and, unless through the origin, r_c = Σ c_i(1[y_i = c] − P_ic) = 0 for every
// class. For any Θ, b and any such P: D(P) ≤ min F ≤ F(Θ, b).
//
// At P_i = softmax(t_i), Σ c_i·H(P_i) = Σ c_i·loss_i + Σ_c θ_c·v_c + b·r, so that
// D(P) = F − ½‖Θ − V‖² + b·r. Where r isn't quite 0, P′ = (1 − s)·P + s·q is feasible, with the same
// q_c = (n_c + r_c·(1 − s)/s)/N in every row, n_c the cost of class c and N that of all rows: a distribution as soon as
// s ≥ |r_c|/n_c. H is concave, so Σ c_i·H(P′_i) ≥ (1 − s)·Σ c_i·H(P_i) ≥ Σ c_i·H(P_i) − s·N·log k, and
// ‖V′ − V‖ ≤ s·Σ c_i·‖P_i − q‖·‖x_i‖ ≤ √2·s·N·longest.
#pragma once

#include <span>

#include "learn/margin/softmax/task.h"

namespace linsep {

/// What was computed at a point Θ, b with fresh scores.
struct SoftmaxPoint {
  double primal = 0;
  double theta_norm = 0, greatest_offset = 0;  ///< ‖Θ‖, max |b_c| of the classes that take part
  double gradient_norm = 0, slope_norm = 0;    ///< ‖Θ − V‖, ‖V‖
  double slope_error = 0;                      ///< bounds the length of V's error by cutting off
  std::span<const double> offset = {};         ///< b
  std::span<const double> balance = {};        ///< r
};

/// Bounds |computed F − F|. A score is added up value by value: its error is at most (values + 3)·2⁻⁵³·‖θ_c‖·‖x‖ and
/// what its offset adds; the loss changes by at most twice the greatest error of a row's scores.
double primal_rounding(const SoftmaxTask& task, const SoftmaxPoint& at);

/// A lower bound of min F: D(P) as computed and, as `rounding`, what rounding and the way to P′ can take from it. 0
/// where P can't be made feasible.
struct DualBound {
  double value = 0, rounding = 0;
};
DualBound dual_bound(const SoftmaxTask& task, const SoftmaxPoint& at);

}  // namespace linsep

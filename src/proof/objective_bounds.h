// Two bounds on an objective, of sums of the rows, and what follows from them.
//
// Below: for shares a_i within the loss's range with Σ w_i·a_i·y_i = 0 (unless through the origin) no F is below
//   (1/W)·Σ w_i·h(a_i) − ‖Σ w_i·a_i·y_i·x_i‖²/(2·λ·W²),
// With an L1 part of the penalty, |Σ w_i·a_i·y_i·x_ij| counts only beyond λ·ρ·W, and ρ = 1 allows no more than that.
// Or, if the intercept is penalized by κ, without that condition and less (Σ w_i·a_i·y_i)²/(2·κ·λ·W²).
// h(a) = a (hinge, 0 ≤ a ≤ 1), a − a²/4 (squared hinge, a ≥ 0) or −a·ln a − (1 − a)·ln(1 − a) (logistic, 0 ≤ a ≤ 1).
// The heavier class's shares are all multiplied by the f ≤ 1 that makes the sum 0: h(f·a) ≥ f·h(a), because h is
// concave and h(0) = 0.
//
// Then, with G = at_most − lower_by − at_least, for every classifier of the least objective (proof-rules.md):
//   w_i·(ℓ(m_i) + a_i·m_i − h(a_i)) ≤ W·G, so m_i isn't 0 nor of the other sign if that is larger at m_i = 0;
//   θ_j = 0 if |v_j|/W + √(2·G·S_j/(μ·W)) < λρ, v_j = Σ w_i·a_i·y_i·x_ij and S_j = Σ w_i·x_ij².
#pragma once

#include <cstdint>
#include <vector>

#include "exact/number.h"
#include "proof/objective_sums.h"
#include "proof/read_optimality.h"

namespace linsep {

struct ObjectiveBounds {
  Rational above, below;
  Rational lower_by;  ///< by how much the reference's objective is lower than the model's, at least
  Rational shorter;   ///< the shares were multiplied by this, so that no sum is beyond what the L1 part allows
  std::int64_t certain_labels = 0;
  std::vector<std::uint32_t> zeros;
};

/// `sums`: of all rows, judged by `rows`. `follow`: what follows from the bounds in the proof is wanted too. Throws a
/// Refusal if a number in the proof doesn't allow that.
ObjectiveBounds bounds_of(const ReadOptimality& read, const ObjectiveRows& rows, const ObjectiveSums& sums,
                          bool follow);

}  // namespace linsep

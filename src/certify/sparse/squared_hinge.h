// The least squared hinge: where no w separates the rows, its slacks are nearly a witness.
//
// Problem: min_w Σ s_i², s_i = max(0, 1 − u_i·w), u_i of length 1, no penalty. It is 0 exactly when the rows are
// separable; at the minimum Σ s_i u_i = 0, so the slacks are a witness. They are also where the dual descent
// (descent.h) goes when it has no end: α_i/Σα → s_i/Σs.
// Method: Newton's on the rows with slack (Mangasarian 2002; Keerthi & DeCoste 2005), conjugate gradients with the
// diagonal as preconditioner, exact line search. Stops: every row on the right side; or ‖Σ s_i u_i‖ ≤ 10⁻¹²·Σ s_i; or
// patience runs out. Cost of a step: two products with the rows per conjugate gradient, always in the order of the
// rows.
#pragma once

#include <functional>
#include <vector>

#include "certify/sparse/unit_rows.h"

namespace linsep {

struct LeastHinge {
  enum class End {
    kSeparated,  ///< the last w has u_i·w > 0 on all rows, as floats tell
    kMinimum,    ///< the slacks nearly are a witness
    kStalled,    ///< neither, and rounding or patience stands in the way
    kStopped,    ///< `stop` said so
  };
  End end = End::kStalled;
  std::vector<double> slack;  ///< per row
  int conjugate = 0;          ///< conjugate gradients that were made
};

/// At most `most_conjugate` conjugate gradients are made. REQUIRES: there is a row.
LeastHinge least_squared_hinge(const UnitRows& rows, int most_conjugate, const std::function<bool()>& stop);

}  // namespace linsep

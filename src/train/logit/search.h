// Finds where a logistic likelihood is largest, over all coefficients or with one of them fixed, or where the profile
// of one falls to a given value.
//
// Problem: With ℓ(β) the log-likelihood, or Firth's ℓ(β) + ½ ln det I(β), and a coefficient a·β, find max ℓ, or max ℓ
// subject to a·β = b, or the b at which the profile ℓ_p(b) = max {ℓ(β): a·β = b} has a given value.
//
// Method: Newton's steps with halving. With g the gradient, I the information, u = I⁻¹g and v = I⁻¹a, the step at a
// fixed b is u − v·(a·u)/(a·v). Along v·t/(a·v) the profile is about ℓ_p + s·t − t²/(2a·v), s = (a·u)/(a·v). Its root
// is the next b (Venzon & Moolgavkar, 1988), kept between what is known to be inside and outside. I is that of the
// maximum, until a point's steps shrink too slowly with it. Then the point gets its own. Firth's penalty has a
// curvature of its own, which I lacks. The last steps and changes of gradient correct it (L-BFGS; Nocedal, 1980).
//
// Stops: For a maximum, the decrement √(g·u) is below 1e-14, or at the level of rounding. For a profile, it is below
// 1e-6, which leaves an error below 1e-12 in ℓ, with the next step of b below 1e-9 of √(a·v). `exact` asks for 1e-14 of
// a profile too, because other functions of its β have errors of the order of the decrement.
// Cost: One pass over the rows for all searches together, two with Firth's penalty.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "train/logit/likelihood.h"

namespace linsep {

/// The question, the state of the search, and the result.
struct LogitSearch {
  std::vector<double> functional;  ///< a, or empty if no coefficient is fixed
  int side = 0;                    ///< 1 for the root above the maximum, −1 for the one below it. With 0, a·β stays
                                   ///< where it is
  double level = 0;                ///< with a side: value of ℓ_p at the root
  std::vector<char> free;          ///< coordinates that move
  bool exact = false;              ///< with a fixed coefficient: as precise as a maximum over all of them

  LogitPoint point;  ///< at.beta is where to start
  std::shared_ptr<const SymmetricMatrix> factor{};

  bool done = false, converged = false;
  double root = 0;                                                ///< with a side: b
  double decrement = std::numeric_limits<double>::infinity();     ///< squared
  double value() const { return point.value + 0.5 * decrement; }  ///< ℓ, to second order
  const std::vector<double>& beta() const { return point.at.beta; }

  /// The state between evaluations.
  struct State {
    std::vector<double> start, step;                          ///< the step under trial
    double value = -std::numeric_limits<double>::infinity();  ///< at its start
    double length = 1, difference = std::numeric_limits<double>::infinity();
    std::optional<double> inside, outside;
    std::optional<double> root, slope;  ///< the last b that was moved from, and the profile's slope there
    /// Steps from the last points at the same b, and how much the gradient fell, oldest first.
    struct Pair {
      std::vector<double> step, fall;
    };
    std::vector<Pair> pairs;
    std::vector<double> last_beta, last_gradient;
    bool nested = false;  ///< b moves only when the other coefficients have come to rest
    int stalled = 0;
    bool own_matrix = false;
    int passes = 0;
  } state{};
};

/// Runs all searches to their ends, sharing passes. `firth` means with the penalty. A search that has no factor begins
/// with its own information matrix.
void run_searches(Likelihood& likelihood, std::vector<LogitSearch*> searches, bool firth);

}  // namespace linsep

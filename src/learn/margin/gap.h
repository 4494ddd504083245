// The duality gap of the margin learners: what it is, and how much of it may be rounding.
//
// The objective is λ·F with F(θ, θ0) = ½‖θ‖² + Σ c_i·ℓ(m_i), m_i = y_i(θ·x_i + θ0), c_i = weight_i/(λ·Σ weight). Its
// dual is D(α) = Σ c_i·(−ℓ*(−α_i/c_i)) − ½‖Σ α_i·y_i·x_i‖² over α within the loss's range and, unless through the
// origin, Σ α_i·y_i = 0. For any θ, θ0 and any such α: D(α) ≤ min F ≤ F(θ, θ0).
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "core/stop_point.h"
#include "learn/margin/losses.h"
#include "linsep/comm.h"
#include "numeric/compensated_sum.h"
#include "numeric/row_extent.h"

namespace linsep {

/// The bounds behind a gap, in units of F. `rounding` bounds the error of `primal − dual`.
struct Gap {
  double primal = std::numeric_limits<double>::infinity();
  double dual = -std::numeric_limits<double>::infinity();
  double rounding = 0;

  /// An upper bound of (F − min F)/F: the computed gap and its rounding, relative to the primal value.
  double relative() const {
    if (primal <= 0) return 0;  // a loss of 0 with θ = 0 can't be improved
    return (primal - dual + rounding) / primal;
  }
};

/// The best bounds on F that were offered so far, each with its own rounding.
struct BestGap : Gap {
  double primal_rounding = 0, dual_rounding = 0;

  /// Whether `value` is the least primal value so far; then it is kept.
  bool offer_primal(double value, double its_rounding) {
    if (!(value < primal)) return false;
    primal = value;
    primal_rounding = its_rounding;
    rounding = primal_rounding + dual_rounding;
    return true;
  }
  /// Keeps the dual value that bounds F best.
  void offer_dual(double value, double its_rounding) {
    if (!(value - its_rounding > dual - dual_rounding)) return;
    dual = value;
    dual_rounding = its_rounding;
    rounding = primal_rounding + dual_rounding;
  }
};

/// Bounds |computed F − F|. A score is a dot product in eight partial sums, so its error is at most
/// (values/8 + 5)·2⁻⁵³·‖θ‖·‖x‖; every loss has a slope of at most `steepest` where it is evaluated.
double primal_rounding(const RowExtent& extent, double costs, double steepest, double theta_norm, double offset,
                       double primal);

/// Bounds the error of Σ α_i y_i x_i (its length) when at most `additions` additions are behind each coordinate.
double sum_rounding(const RowExtent& extent, double alphas, double additions);

/// Bounds |computed D − D(α′)| where α′ is α with the heavier class scaled down to Σ α′y = 0 exactly.
/// `theta_error`: what bounds the error of Σ α_i y_i x_i; `imbalance`: the computed Σ α_i y_i.
double dual_rounding(const RowExtent& extent, double alphas, double imbalance, double theta_norm, double theta_error,
                     double dual_terms);

/// argmin over θ0 of Σ c_i·max(0, 1 − y_i(z_i + θ0)): the weighted quantile of y_i − z_i at the level of the positive
/// rows' cost. `cost[i]` is y_i·c_i. O(n).
double best_hinge_offset(std::span<const double> cost, std::span<const double> z);

/// argmin over θ0 of Σ c_i·ℓ(y_i(z_i + θ0)) over all workers' rows, for the two smooth losses: Newton's method within a
/// bracket, from `near`. An all-reduce for each step. `stop` (may be nullptr) is looked at between steps.
double best_smooth_offset(Loss loss, std::span<const double> cost, std::span<const double> z, double near, int threads,
                          Comm& comm, const StopPoint* stop = nullptr);

/// Σ c_i·ℓ(y_i(z_i + θ0)).
double total_loss(Loss loss, std::span<const double> cost, std::span<const double> z, double offset, int threads);
/// The same over all workers' rows.
double total_loss(Loss loss, std::span<const double> cost, std::span<const double> z, double offset, int threads,
                  Comm& comm);

/// Moves α to Σ α_i·y_i = 0 within 0 ≤ α_i ≤ upper_i (upper_i = |cost_i| where `bounded`, else without bound),
/// where it costs the dual least, to first order at the scores z and the offset: rows by |their dual gradient|,
/// cheapest first. `alpha(i)` gives access to α_i.
template <class Alpha>
void repair_balance(std::span<const double> cost, std::span<const double> z, double offset, bool bounded,
                    Alpha&& alpha);

}  // namespace linsep

#include "learn/margin/gap_inl.h"  // IWYU pragma: export

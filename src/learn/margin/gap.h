// The duality gap of the margin learners: what it is, and how much of it may be rounding.
//
// The objective is λ·F with F(θ, θ0) = R(θ) + Σ c_i·ℓ(m_i), m_i = y_i(θ·x_i + θ0), c_i = weight_i/(λ·Σ weight), ℓ a
// loss (losses.h) and R the penalty (penalty.h), ½‖θ‖². Its dual is D(α) = Σ c_i·(−ℓ*(−α_i/c_i)) − R*(Σ α_i·y_i·x_i)
// over α within the loss's range and, unless through the origin, Σ α_i·y_i = 0. For any θ, θ0 and any such α: D(α) ≤
// min F ≤ F(θ, θ0).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "learn/margin/losses.h"
#include "learn/margin/penalty.h"
#include "linsep/comm.h"
#include "numeric/compensated_sum.h"
#include "numeric/fixed_point.h"

namespace linsep {

/// The bounds behind a gap, in units of F. `rounding` bounds the error of `primal − dual`.
struct Gap {
  double primal = std::numeric_limits<double>::infinity();
  double dual = -std::numeric_limits<double>::infinity();
  double rounding = 0;

  /// An upper bound of (F − min F)/F: the computed gap and its rounding, relative to the primal value. Never above 1,
  /// because no F is below 0.
  double relative() const {
    if (primal <= 0) return 0;  // a loss of 0 with θ = 0 can't be improved
    return std::min(1.0, (primal - dual + rounding) / primal);
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

/// argmin over θ0 of Σ c_i·ℓ(y_i(z_i + θ0)) over all workers' rows, for a smooth loss: Newton's method within a
/// bracket, from `near`. An all-reduce for each step. Polls between steps.
double best_smooth_offset(Loss loss, std::span<const double> cost, std::span<const double> z, double near, int threads,
                          Comm& comm);

/// Σ c_i·ℓ(y_i(z_i + θ0)).
double total_loss(Loss loss, std::span<const double> cost, std::span<const double> z, double offset, int threads);
/// The same over all workers' rows.
double total_loss(Loss loss, std::span<const double> cost, std::span<const double> z, double offset, int threads,
                  Comm& comm);

/// Moves α to Σ α_i·y_i = 0 within 0 ≤ α_i ≤ upper_i (upper_i = |cost_i| where the conjugate is bounded, else without
/// bound), where it costs the dual least, to first order at the scores z and the offset: rows by |their dual gradient|,
/// cheapest first. `alpha(i)` gives access to α_i.
template <class Alpha>
void repair_balance(std::span<const double> cost, std::span<const double> z, double offset,
                    const QuadraticConjugate& conjugate, Alpha&& alpha);

/// The cheapest rows of many whose rooms together suffice: dearer ones are forgotten on the way.
struct CheapestRows {
  explicit CheapestRows(double room_wanted) : wanted(room_wanted) {}

  template <class Room>
  void offer(double price, std::size_t row, const Room& room) {
    if (price >= too_dear) return;
    rows.emplace_back(price, row);
    if (rows.size() < 2 * keep) return;
    const auto middle = rows.begin() + static_cast<std::ptrdiff_t>(keep);
    std::nth_element(rows.begin(), middle, rows.end());
    double have = 0;
    for (auto at = rows.begin(); at != middle && have < wanted; ++at) have += room(at->second);
    if (have < wanted) {
      keep *= 2;
    } else {
      too_dear = middle->first;
      rows.erase(middle, rows.end());
    }
  }

  double wanted;
  double too_dear = std::numeric_limits<double>::infinity();
  std::size_t keep = 512;
  std::vector<std::pair<double, std::size_t>> rows;  ///< price and number
};

template <class Alpha>
void repair_balance(std::span<const double> cost, std::span<const double> z, double offset,
                    const QuadraticConjugate& conjugate, Alpha&& alpha) {
  const bool bounded = conjugate.bounded;
  // Three rounds: what rounding leaves after the first is moved by the next, if it can be in the row that moved last.
  std::size_t last = cost.size();
  for (int round = 0; round < 3; ++round) {
    Sum sum;
    for (std::size_t i = 0; i < cost.size(); ++i) sum.add(cost[i] < 0 ? -alpha(i) : alpha(i));
    const double excess = sum.value();
    if (excess == 0) return;
    double rest = std::abs(excess);
    const auto shrinks = [&](std::size_t i) { return (cost[i] > 0) == (excess > 0); };
    const auto room = [&](std::size_t i) {
      if (cost[i] == 0) return 0.0;
      if (shrinks(i)) return alpha(i);
      return bounded ? std::abs(cost[i]) - alpha(i) : std::numeric_limits<double>::infinity();
    };
    const auto move_row = [&](std::size_t i) {
      const double move = std::min(rest, room(i));
      if (shrinks(i)) {
        alpha(i) -= move;
      } else {
        alpha(i) = bounded ? std::min(std::abs(cost[i]), alpha(i) + move) : alpha(i) + move;
      }
      rest -= move;
      last = i;
    };
    if (last < cost.size() && room(last) >= rest) {
      move_row(last);
      continue;
    }
    CheapestRows cheapest(rest);
    for (std::size_t i = 0; i < cost.size(); ++i) {
      if (!(room(i) > 0)) continue;
      const double slack = 1 - (cost[i] < 0 ? -1.0 : 1.0) * (z[i] + offset);
      const double curved = conjugate.curvature * (alpha(i) / std::abs(cost[i]));
      cheapest.offer(shrinks(i) ? slack - curved : curved - slack, i, room);
    }
    std::vector<std::pair<double, std::size_t>>& price = cheapest.rows;
    const auto dearer = [](const auto& a, const auto& b) { return a > b; };
    std::make_heap(price.begin(), price.end(), dearer);
    while (rest > 0 && !price.empty()) {
      std::pop_heap(price.begin(), price.end(), dearer);
      const std::size_t i = price.back().second;
      price.pop_back();
      move_row(i);
    }
  }
}

/// Rows' masses m_i at positions v_i on a line.
struct Masses {
  std::span<const double> place;
  std::span<const double> mass;  ///< ±m_i: the sign doesn't count, and rows without a mass are skipped
  double bound = 1;              ///< Σ m_i over all workers is at most this; the same on every worker, above 0
};

/// Where a quantile may lie; nowhere in particular unless low ≤ high.
struct LikelyInterval {
  double low = 0, high = -1;
};

/// The least position v with Σ(m_i : v_i ≤ v) ≥ level, or the greatest where all masses don't come to that (0 where
/// there are none), to the same bits however rows are spread over workers. Exchanges about a thousand numbers two to
/// four times. Masses count to within 2⁻⁶⁰ of `bound` each. `likely`, the same on every worker, never changes the
/// result; where it holds the position, only the rows in it are looked at more than once.
double agreed_quantile(const Masses& rows, double level, Comm& comm, const LikelyInterval& likely = {});

}  // namespace linsep

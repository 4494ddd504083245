// The losses of the margin learner: one struct for each, and the table of all of them. Solvers, bounds, options, model
// files, typed specs and Python read the table; nothing else names a loss.
//
//   hinge          max(0, 1 − m)            −ℓ*(−a) = a                               0 ≤ a ≤ 1
//   squared hinge  max(0, 1 − m)²           −ℓ*(−a) = a − a²/4                        0 ≤ a
//   logistic       log(1 + e^−m)            −ℓ*(−a) = −a·log a − (1 − a)·log(1 − a)   0 ≤ a ≤ 1
//
// The softmax loss, log Σ e^z − z of the row's own class, is of all scores together and has functions of its own
// (softmax.cc).
//
// m = y·(θ·x + θ0) is a row's margin, a = −ℓ′(m) the dual variable that belongs to it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/elementary.h"
#include "core/exact_sum.h"
#include "kernel/exact_terms.h"
#include "kernel/exponentials.h"
#include "linsep/choices.h"

namespace linsep {

/// A conjugate that coordinate descent can maximize in closed form: −ℓ*(−a) = a − κ·a²/2 for 0 ≤ a, and a ≤ 1 where it
/// is bounded.
struct QuadraticConjugate {
  double curvature = 0;  ///< κ
  bool bounded = false;

  /// c·(−ℓ*(−α/c)), what a row of cost c adds to the dual objective.
  double term(double alpha, double cost) const { return alpha - curvature / 2 * (alpha * alpha / cost); }
};

/// What is constant about a loss.
struct LossFacts {
  Loss loss = Loss::kHinge;
  std::string_view name = {};                        ///< as options and models call it
  std::string_view formula = {};                     ///< as the option's help prints it
  bool smooth = false;                               ///< has a curvature, which Newton's method needs
  bool curved_everywhere = false;                    ///< ℓ″ > 0 at every m, but for underflow
  bool log_odds = false;                             ///< it is the log loss of a sigmoid of the score
  bool joint = false;                                ///< it is of all classes together, not of a margin
  double curvature = 0;                              ///< the greatest ℓ″(m)
  double zero_loss_margin = 1;                       ///< a margin at which the loss is 0 in double precision
  std::optional<QuadraticConjugate> conjugate = {};  ///< where it has this form
};

/// Value, slope −ℓ′(m) ≥ 0 and curvature ℓ″(m) of a loss.
struct LossAt {
  double value = 0;
  double slope = 0;
  double curvature = 0;
};

// Each loss of a margin has
//   value(m), at(m)
//   at(m, e, log)                      at(m) given e = e^−|m| and log = ln(1 + e), which the loss uses if
//   kFacts.log_odds best_constant(positive, negative)  the score that, given to all rows, has the least loss, given the
//   weights of both
//                                      classes. REQUIRES: both weigh more than 0.
//   dual(a)                            −ℓ*(−a), for a between 0 and a slope of the loss
//   steepest_slope(farthest)           at least the slope at every margin of at least −farthest
//   mean_slope(mean_loss)              at least the mean slope of rows with this mean loss, and the slope's change
//                                      nearby: what an error of a score can do to the mean loss

struct HingeLoss {
  static constexpr LossFacts kFacts = {
      .loss = Loss::kHinge, .name = "hinge", .formula = "max(0, 1 − m)", .conjugate = QuadraticConjugate{0, true}};
  static double value(double m) { return std::max(0.0, 1 - m); }
  static LossAt at(double m) { return {value(m), m < 1 ? 1.0 : 0.0, 0.0}; }
  static LossAt at(double m, double /*e*/, double /*log*/) { return at(m); }
  static double dual(double a) { return a; }
  static double best_constant(double positive, double negative) { return positive >= negative ? 1 : -1; }
  static double steepest_slope(double /*farthest*/) { return 1; }
  static double mean_slope(double /*mean_loss*/) { return 1; }
};

struct SquaredHingeLoss {
  static constexpr LossFacts kFacts = {.loss = Loss::kSquaredHinge,
                                       .name = "squared-hinge",
                                       .formula = "max(0, 1 − m)²",
                                       .smooth = true,
                                       .curvature = 2,
                                       .conjugate = QuadraticConjugate{0.5, false}};
  static double value(double m) {
    const double t = std::max(0.0, 1 - m);
    return t * t;
  }
  static LossAt at(double m) {
    const double t = std::max(0.0, 1 - m);
    return {t * t, 2 * t, t > 0 ? 2.0 : 0.0};
  }
  static LossAt at(double m, double /*e*/, double /*log*/) { return at(m); }
  static double dual(double a) { return a - a * a / 4; }
  static double best_constant(double positive, double negative) {
    return (positive - negative) / (positive + negative);
  }
  static double steepest_slope(double farthest) { return 2 * (1 + farthest); }
  static double mean_slope(double mean_loss) { return 2 * std::sqrt(mean_loss) + 2; }
};

struct LogisticLoss {
  static constexpr LossFacts kFacts = {.loss = Loss::kLogistic,
                                       .name = "logistic",
                                       .formula = "log(1 + e^−m)",
                                       .smooth = true,
                                       .curved_everywhere = true,
                                       .log_odds = true,
                                       .curvature = 0.25,
                                       .zero_loss_margin = 800};
  static double value(double m) { return at(m).value; }
  static LossAt at(double m) {
    const double e = elementary::exp(-std::abs(m));
    return at(m, e, elementary::log1p(e));
  }
  static LossAt at(double m, double e, double log) {
    const double q = 1 / (1 + e);
    return {log + std::max(0.0, -m), m > 0 ? e * q : q, e * q * q};
  }
  static double dual(double a) {
    const double rest = 1 - a;
    return (a > 0 ? -a * elementary::log(a) : 0) - (rest > 0 ? rest * elementary::log1p(-a) : 0);
  }
  static double best_constant(double positive, double negative) { return elementary::log(positive / negative); }
  static double steepest_slope(double /*farthest*/) { return 1; }
  static double mean_slope(double /*mean_loss*/) { return 1; }
};

inline constexpr LossFacts kSoftmaxFacts = {.loss = Loss::kSoftmax,
                                            .name = "softmax",
                                            .formula = "log Σ e^z − z of its own class",
                                            .smooth = true,
                                            .joint = true};

using MarginLosses = std::tuple<HingeLoss, SquaredHingeLoss, LogisticLoss>;

/// All losses, as the manual lists them.
inline constexpr auto kLosses =
    std::apply([](auto... loss) { return std::array{decltype(loss)::kFacts..., kSoftmaxFacts}; }, MarginLosses{});

/// Calls `f` with the loss's struct, so that a loop inside of `f` is compiled for it. REQUIRES: a loss of a margin.
template <std::size_t K = 0, class F>
decltype(auto) with_loss(Loss loss, F&& f) {
  using KthLoss = std::tuple_element_t<K, MarginLosses>;
  if constexpr (K + 1 < std::tuple_size_v<MarginLosses>) {
    if (loss != KthLoss::kFacts.loss) return with_loss<K + 1>(loss, std::forward<F>(f));
  }
  return f(KthLoss{});
}

inline const LossFacts& facts_of(Loss loss) {
  return *std::find_if(kLosses.begin(), kLosses.end() - 1, [&](const LossFacts& x) { return x.loss == loss; });
}

/// REQUIRES: the name of a loss.
inline Loss loss_named(std::string_view name) {
  return std::find_if(kLosses.begin(), kLosses.end() - 1, [&](const LossFacts& x) { return x.name == name; })->loss;
}

inline std::vector<std::string_view> loss_names() {
  std::vector<std::string_view> names;
  for (const LossFacts& facts : kLosses) names.push_back(facts.name);
  return names;
}

/// The losses of which `holds` is true, in the table's order.
template <class Predicate>
std::vector<Loss> losses_where(Predicate&& holds) {
  std::vector<Loss> found;
  for (const LossFacts& facts : kLosses) {
    if (holds(facts)) found.push_back(facts.loss);
  }
  return found;
}

/// The losses of a few rows, from row `first` on; not times their costs.
struct RowLosses {
  static constexpr std::size_t kMost = 128;
  using Numbers = std::array<double, kMost>;
  std::size_t first = 0, count = 0;
  Numbers margin, value, slope, curvature;
};

/// Calls f(losses) for rows begin … end − 1, given the scores z of all rows and their costs, signed by class. Without
/// `Values`, values mean nothing.
template <bool Values, class F>
void for_losses(Loss loss, std::span<const double> cost, std::span<const double> z, double offset, std::size_t begin,
                std::size_t end, F&& f) {
  RowLosses rows;
  RowLosses::Numbers e, log{};
  with_loss(loss, [&](auto l) {
    for (rows.first = begin; rows.first < end; rows.first += rows.count) {
      rows.count = std::min(RowLosses::kMost, end - rows.first);
      for (std::size_t k = 0; k < rows.count; ++k) {
        rows.margin[k] = (cost[rows.first + k] < 0 ? -1.0 : 1.0) * (z[rows.first + k] + offset);
        e[k] = -std::abs(rows.margin[k]);
      }
      if constexpr (decltype(l)::kFacts.log_odds) {
        exponentials(e.data(), rows.count);
        if constexpr (Values) {
          std::copy_n(e.begin(), rows.count, log.begin());
          logarithms(log.data(), rows.count);
        }
      }
      for (std::size_t k = 0; k < rows.count; ++k) {
        const LossAt at = l.at(rows.margin[k], e[k], log[k]);
        rows.value[k] = at.value;
        rows.slope[k] = at.slope;
        rows.curvature[k] = at.curvature;
      }
      f(std::as_const(rows));
    }
  });
}

/// Terms of a few rows, for a sum of each class.
struct TermsByClass {
  RowLosses::Numbers negative, positive;
  std::size_t negatives = 0, positives = 0;

  void add(bool is_negative, double term) {
    negative[negatives] = positive[positives] = term;  // one of the two is written again
    (is_negative ? negatives : positives) += 1;
  }
  void add_to(ExactSum& negative_sum, ExactSum& positive_sum) const {
    add_terms(negative_sum, negative.data(), negatives);
    add_terms(positive_sum, positive.data(), positives);
  }
};

inline double loss_value(Loss loss, double m) {
  return with_loss(loss, [&](auto l) { return l.value(m); });
}
inline LossAt loss_at(Loss loss, double m) {
  return with_loss(loss, [&](auto l) { return l.at(m); });
}
inline double best_constant(Loss loss, double positive, double negative) {
  return with_loss(loss, [&](auto l) { return l.best_constant(positive, negative); });
}
inline double steepest_slope(Loss loss, double farthest) {
  return with_loss(loss, [&](auto l) { return l.steepest_slope(farthest); });
}
inline double mean_slope(Loss loss, double mean_loss) {
  return with_loss(loss, [&](auto l) { return l.mean_slope(mean_loss); });
}

}  // namespace linsep

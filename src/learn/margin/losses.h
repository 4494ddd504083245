// The losses of the margin learner, as functions of a row's margin m = y·(θ·x + θ0): all that solvers, bounds, options
// and reports know of a loss is here.
//
//   hinge          max(0, 1 − m)            −ℓ*(−a) = a                               0 ≤ a ≤ 1
//   squared hinge  max(0, 1 − m)²           −ℓ*(−a) = a − a²/4                        0 ≤ a
//   logistic       log(1 + e^−m)            −ℓ*(−a) = −a·log a − (1 − a)·log(1 − a)   0 ≤ a ≤ 1
//
// The softmax loss is of all classes' scores together and has functions of its own (softmax/row.h).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "linsep/choices.h"

namespace linsep {

/// Constants of a loss.
struct LossFacts {
  Loss loss = Loss::kHinge;
  std::string_view name = {};      ///< as options and models call it
  bool smooth = false;             ///< has a curvature, which Newton's method needs
  bool curved_everywhere = false;  ///< ℓ″ > 0 at every m, but for underflow
  bool log_odds = false;           ///< it is the log loss of a sigmoid of the score
  double curvature = 0;            ///< the greatest ℓ″(m)
  double harmless = 1;             ///< a margin at which the loss is 0 in double precision
  bool joint = false;              ///< it is of all classes together; what a margin costs doesn't apply
};

/// In the order of `Loss`.
inline constexpr std::array kLosses = {
    LossFacts{.loss = Loss::kHinge, .name = "hinge"},
    LossFacts{.loss = Loss::kSquaredHinge, .name = "squared-hinge", .smooth = true, .curvature = 2},
    LossFacts{.loss = Loss::kLogistic,
              .name = "logistic",
              .smooth = true,
              .curved_everywhere = true,
              .log_odds = true,
              .curvature = 0.25,
              .harmless = 800},
    LossFacts{.loss = Loss::kSoftmax, .name = "softmax", .smooth = true, .joint = true},
};

constexpr const LossFacts& facts_of(Loss loss) { return kLosses[static_cast<std::size_t>(loss)]; }

/// REQUIRES: the name of a loss.
inline Loss loss_named(std::string_view name) {
  const auto* end = kLosses.data() + kLosses.size() - 1;
  const auto* at = std::find_if(kLosses.data(), end, [&](const LossFacts& x) { return x.name == name; });
  return at->loss;
}

inline std::vector<std::string_view> loss_names() {
  std::vector<std::string_view> names;
  for (const LossFacts& facts : kLosses) names.push_back(facts.name);
  return names;
}

/// Value, slope −ℓ′(m) ≥ 0 (the dual variable a that belongs to m) and curvature ℓ″(m) of a loss.
struct LossAt {
  double value = 0;
  double slope = 0;
  double curvature = 0;
};

inline LossAt loss_at(Loss loss, double m) {
  if (loss == Loss::kLogistic) {
    const double e = std::exp(-std::abs(m)), q = 1 / (1 + e);
    return {std::log1p(e) + std::max(0.0, -m), m > 0 ? e * q : q, e * q * q};
  }
  const double t = std::max(0.0, 1 - m);
  if (loss == Loss::kHinge) return {t, m < 1 ? 1.0 : 0.0, 0.0};
  return {t * t, 2 * t, t > 0 ? 2.0 : 0.0};
}

inline double loss_value(Loss loss, double m) {
  if (loss == Loss::kLogistic) return std::log1p(std::exp(-std::abs(m))) + std::max(0.0, -m);
  const double t = std::max(0.0, 1 - m);
  return loss == Loss::kHinge ? t : t * t;
}

/// The score z that, given to all rows, has the least loss, given the weights of both classes. The log of the
/// classes' odds (logistic), the difference of their shares (squared hinge), the heavier class (hinge).
/// REQUIRES: both weigh more than 0.
inline double best_constant(Loss loss, double positive, double negative) {
  if (loss == Loss::kLogistic) return std::log(positive / negative);
  if (loss == Loss::kSquaredHinge) return (positive - negative) / (positive + negative);
  return positive >= negative ? 1 : -1;
}

/// At least the slope at every margin of at least −farthest.
inline double steepest_slope(Loss loss, double farthest) {
  return loss == Loss::kSquaredHinge ? 2 * (1 + farthest) : 1;
}

/// At least the mean slope, and the slope's change nearby, of rows whose mean loss is this: what an error of a score
/// can do to the mean loss.
inline double mean_slope(Loss loss, double mean_loss) {
  return loss == Loss::kSquaredHinge ? 2 * std::sqrt(mean_loss) + 2 : 1;
}

}  // namespace linsep

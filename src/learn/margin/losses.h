// The three losses of the margin learners, as functions of a row's margin m = y·(θ·x + θ0), and their conjugates.
//
//   hinge          max(0, 1 − m)            −ℓ*(−a) = a                               0 ≤ a ≤ 1
//   squared hinge  max(0, 1 − m)²           −ℓ*(−a) = a − a²/4                        0 ≤ a
//   logistic       log(1 + e^−m)            −ℓ*(−a) = −a·log a − (1 − a)·log(1 − a)   0 ≤ a ≤ 1
#pragma once

#include <algorithm>
#include <cmath>

#include "linsep/choices.h"

namespace linsep {

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

}  // namespace linsep

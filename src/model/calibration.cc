// Probabilities of scores. Sigmoids are evaluated so that neither end loses its digits.
#include <algorithm>
#include <cmath>
#include <limits>

#include "linsep/model.h"

namespace linsep {
namespace {

/// 1/(1 + e^−f).
double sigmoid(double f) {
  const double e = std::exp(-std::abs(f));
  return (f >= 0 ? 1 : e) / (1 + e);
}

double through_knots(const Calibration& calibration, double z) {
  const auto& score = calibration.score;
  const auto& probability = calibration.probability;
  const auto above = static_cast<std::size_t>(std::upper_bound(score.begin(), score.end(), z) - score.begin());
  if (above == 0) return probability.front();
  if (above == score.size()) return probability.back();
  const double low = score[above - 1];
  // Halves, so that scores at both ends of the range have a difference.
  const double part = (z / 2 - low / 2) / (score[above] / 2 - low / 2);
  return std::lerp(probability[above - 1], probability[above], part);
}

}  // namespace

double positive_probability(const Calibration& calibration, double z) {
  if (calibration.kind == Calibration::Kind::kIsotonic) return through_knots(calibration, z);
  return sigmoid(calibration.slope * z + calibration.offset);
}

double log_loss(const Calibration& calibration, double z, double y) {
  constexpr double kLeast = std::numeric_limits<double>::min();
  if (calibration.kind == Calibration::Kind::kIsotonic) {
    const double p = through_knots(calibration, z);
    return -std::log(std::max(y > 0 ? p : 1 - p, kLeast));
  }
  const double m = (calibration.slope * z + calibration.offset) * (y > 0 ? 1 : -1);
  return std::min(std::log1p(std::exp(-std::abs(m))) + std::max(0.0, -m), -std::log(kLeast));
}

}  // namespace linsep

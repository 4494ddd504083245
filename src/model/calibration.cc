// Probabilities of scores. Sigmoids are evaluated so that neither end loses digits.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/elementary.h"
#include "linsep/error.h"
#include "linsep/model.h"
#include "model/model.h"

namespace linsep {
namespace {

/// 1/(1 + e^−f).
double sigmoid(double f) {
  const double e = elementary::exp(-std::abs(f));
  return (f >= 0 ? 1 : e) / (1 + e);
}

double through_knots(const Calibration& calibration, double z) {
  const auto& score = calibration.score;
  const auto& probability = calibration.probability;
  const auto above = static_cast<std::size_t>(std::upper_bound(score.begin(), score.end(), z) - score.begin());
  if (above == 0) return probability.front();
  if (above == score.size()) return probability.back();
  const double low = score[above - 1];
  // In halves, so that the difference of two scores at both ends of the range is finite.
  const double part = (z / 2 - low / 2) / (score[above] / 2 - low / 2);
  return std::lerp(probability[above - 1], probability[above], part);
}

/// e^(z_c − the largest z), so that none leaves the range.
void softmax_terms(std::span<const double> z, std::span<double> out) {
  const double greatest = *std::max_element(z.begin(), z.end());
  for (std::size_t c = 0; c < z.size(); ++c) out[c] = elementary::exp(z[c] - greatest);
}

void divide_by_sum(std::span<double> shares) {
  double sum = 0;
  for (const double share : shares) sum += share;
  const auto count = static_cast<double>(shares.size());
  for (double& share : shares) share = sum == 0 ? 1 / count : share / sum;
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
    return -elementary::log(std::max(y > 0 ? p : 1 - p, kLeast));
  }
  const double m = (calibration.slope * z + calibration.offset) * (y > 0 ? 1 : -1);
  return std::min(elementary::log1p(elementary::exp(-std::abs(m))) + std::max(0.0, -m), -elementary::log(kLeast));
}

double class_log_loss(std::span<const double> probability, std::size_t own) {
  return -elementary::log(std::max(probability[own], std::numeric_limits<double>::min()));
}

bool has_probabilities(const Model& model) {
  if (model.offsets.empty()) return model.calibration.kind != Calibration::Kind::kNone;
  return model.calibration.kind == Calibration::Kind::kSoftmax || model.calibrations.size() == model.offsets.size();
}

void probabilities(const Model& model, std::span<const double> z, std::span<double> out) {
  if (!has_probabilities(model)) {
    const bool classes = model.form == Model::Form::kClasses;
    throw options_error({"loss", "probabilities"},
                        classes ? "this model has no probabilities: train it with {} logistic or softmax, or with {}"
                                : "this model has no probabilities: train it with {} logistic or with {}");
  }
  const std::size_t parts = scores_per_row(model);
  const bool softmax = model.calibration.kind == Calibration::Kind::kSoftmax;
  for (std::size_t i = 0; i < z.size(); i += parts) {
    const auto own = out.subspan(i, parts);
    if (softmax) softmax_terms(z.subspan(i, parts), own);
    for (std::size_t c = 0; c < parts && !softmax; ++c) {
      own[c] = positive_probability(model.calibrations.empty() ? model.calibration : model.calibrations[c], z[i + c]);
    }
    if (model.form == Model::Form::kClasses) divide_by_sum(own);
  }
}

}  // namespace linsep

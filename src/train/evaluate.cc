// How a model does on labelled rows: one pass of scores.
#include <algorithm>
#include <limits>
#include <utility>

#include "linsep/train.h"

namespace linsep {
namespace {

// The probability that a positive row scores above a negative one, half for ties (Mann and Whitney).
double area(std::vector<std::pair<double, bool>>& scored) {
  std::sort(scored.begin(), scored.end());
  double wins = 0, negatives = 0, positives = 0;
  for (std::size_t i = 0; i < scored.size();) {
    double tied_negatives = 0, tied_positives = 0;
    const double z = scored[i].first;
    for (; i < scored.size() && scored[i].first == z; ++i) (scored[i].second ? tied_positives : tied_negatives) += 1;
    wins += tied_positives * (negatives + tied_negatives / 2);
    negatives += tied_negatives;
    positives += tied_positives;
  }
  if (negatives == 0 || positives == 0) return std::numeric_limits<double>::quiet_NaN();
  return wins / (negatives * positives);
}

void count(Evaluation& result, double y, double z) {
  ++result.rows;
  if (y * z <= 0) ++result.mistakes;
  const bool said_positive = predicted_sign(z) > 0;
  if (y > 0) {
    ++(said_positive ? result.true_positive : result.false_negative);
  } else {
    ++(said_positive ? result.false_positive : result.true_negative);
  }
}

// Sums while rows come; `finish` makes means of them.
void count(ProbabilityEvaluation& result, const Calibration& calibration, double y, double z) {
  const double p = positive_probability(calibration, z), truth = y > 0 ? 1 : 0;
  result.log_loss += log_loss(calibration, z, y);
  result.brier += (p - truth) * (p - truth);
  auto& bin = result.bins[std::min<std::size_t>(static_cast<std::size_t>(p * 10), result.bins.size() - 1)];
  ++bin.rows;
  if (y > 0) ++bin.positive;
  bin.predicted += p;
}

void finish(ProbabilityEvaluation& result, std::int64_t rows) {
  for (auto& bin : result.bins) bin.predicted /= static_cast<double>(std::max<std::int64_t>(bin.rows, 1));
  result.log_loss /= static_cast<double>(std::max<std::int64_t>(rows, 1));
  result.brier /= static_cast<double>(std::max<std::int64_t>(rows, 1));
}

/// A row of several classes: its scores, and the place of its own class.
void count_class(Evaluation& result, std::size_t own, std::span<const double> z) {
  ++result.rows;
  ++result.confusion[own * z.size() + predicted_class(z)];
  for (std::size_t c = 0; c < z.size(); ++c) {
    if (c == own || z[own] > z[c]) continue;
    ++result.mistakes;
    return;
  }
}

void count_labels(Evaluation& result, const std::string& combination, std::span<const double> z) {
  ++result.rows;
  bool mistake = false;
  for (std::size_t k = 0; k < z.size(); ++k) {
    const double y = combination[k] == '1' ? 1 : -1;
    mistake = mistake || y * z[k] <= 0;
    count(result.labels[k], y, z[k]);
  }
  if (mistake) ++result.mistakes;
}

}  // namespace

Evaluation evaluate(Source& source, const Model& model, bool area_under_curve, const Observer& observe) {
  Evaluation result;
  result.area_under_curve = std::numeric_limits<double>::quiet_NaN();
  if (model.calibration.kind != Calibration::Kind::kNone) result.probabilities.emplace();
  const std::size_t parts = scores_a_row(model);
  if (model.form == Model::Form::kClasses) result.confusion.resize(parts * parts);
  if (model.form == Model::Form::kLabels) result.labels.resize(parts);
  std::vector<double> z;
  std::vector<std::vector<std::pair<double, bool>>> scored(parts);
  Progress progress;
  progress.pass = 1;
  progress.rows_in_all = source.shape().rows;
  source.rewind(0);
  while (const auto batch = source.next()) {
    z.resize(static_cast<std::size_t>(batch->rows) * parts);
    score(model, *batch, z);
    for (std::size_t i = 0; i < static_cast<std::size_t>(batch->rows); ++i) {
      const double y = batch->label[i];
      const auto own = std::span<const double>(z).subspan(i * parts, parts);
      if (model.form == Model::Form::kClasses) {
        count_class(result, static_cast<std::size_t>(y), own);
      } else if (model.form == Model::Form::kLabels) {
        const std::string& combination = source.schema().combinations[static_cast<std::size_t>(y)];
        count_labels(result, combination, own);
        for (std::size_t k = 0; area_under_curve && k < parts; ++k)
          scored[k].emplace_back(own[k], combination[k] == '1');
      } else if (model.regression) {
        ++result.rows;
        result.sum_of_squares += (y - z[i]) * (y - z[i]);
      } else {
        count(result, y, z[i]);
        if (result.probabilities) count(*result.probabilities, model.calibration, y, z[i]);
        if (area_under_curve) scored[0].emplace_back(z[i], y > 0);
      }
    }
    progress.rows += batch->rows;
    if (observe) observe(progress);
  }
  if (result.probabilities) finish(*result.probabilities, result.rows);
  for (Evaluation& label : result.labels) label.area_under_curve = result.area_under_curve;
  if (!area_under_curve) return result;
  for (std::size_t k = 0; k < result.labels.size(); ++k) result.labels[k].area_under_curve = area(scored[k]);
  if (!model.regression && parts == 1) result.area_under_curve = area(scored[0]);
  return result;
}

}  // namespace linsep

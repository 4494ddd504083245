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

}  // namespace

Evaluation evaluate(Source& source, const Model& model, bool area_under_curve, const Observer& observe) {
  Evaluation result;
  result.area_under_curve = std::numeric_limits<double>::quiet_NaN();
  if (model.calibration.kind != Calibration::Kind::kNone) result.probabilities.emplace();
  std::vector<double> z;
  std::vector<std::pair<double, bool>> scored;
  Progress progress;
  progress.pass = 1;
  progress.rows_in_all = source.shape().rows;
  source.rewind(0);
  while (const auto batch = source.next()) {
    z.resize(static_cast<std::size_t>(batch->rows));
    score(model, *batch, z);
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double y = batch->label[i];
      if (model.regression) {
        ++result.rows;
        result.sum_of_squares += (y - z[i]) * (y - z[i]);
      } else {
        count(result, y, z[i]);
        if (result.probabilities) count(*result.probabilities, model.calibration, y, z[i]);
        if (area_under_curve) scored.emplace_back(z[i], y > 0);
      }
    }
    progress.rows += batch->rows;
    if (observe) observe(progress);
  }
  if (area_under_curve && !model.regression) result.area_under_curve = area(scored);
  if (result.probabilities) finish(*result.probabilities, result.rows);
  return result;
}

}  // namespace linsep

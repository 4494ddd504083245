// Scores of a whole source, and probabilities of scores.
#include <vector>

#include "linsep/error.h"
#include "linsep/model.h"

namespace linsep {

std::int64_t predict(Source& source, const Model& model, const RunLimits& limits, const ScoreSink& take,
                     const Observer& observe) {
  Progress progress;
  progress.pass = 1;
  progress.phase = Phase::kPredicting;
  progress.passes_in_all = 1;
  progress.rows_in_all = source.shape().rows;
  std::vector<double> z;
  source.rewind(0);
  while (const auto batch = source.next()) {
    if (limits.interrupted()) throw interrupted_error();
    z.resize(static_cast<std::size_t>(batch->rows) * scores_a_row(model));
    score(model, *batch, z, limits.threads);
    take(*batch, z);
    progress.rows += batch->rows;
    if (observe) observe(progress);
  }
  return progress.rows;
}

bool has_probabilities(const Model& model) {
  return model.calibration.kind != Calibration::Kind::kNone && scores_a_row(model) == 1;
}

void probabilities(const Model& model, std::span<const double> z, std::span<double> out) {
  if (scores_a_row(model) > 1) {
    throw usage_error(
        "a model of several classes or label columns gives no probabilities: only one of two classes does");
  }
  if (!has_probabilities(model)) {
    throw options_error({"loss", "probabilities"},
                        "this model gives no probabilities: train it with {} logistic or with {}");
  }
  for (std::size_t i = 0; i < z.size(); ++i) out[i] = positive_probability(model.calibration, z[i]);
}

}  // namespace linsep

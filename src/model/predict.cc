// Scores of a whole source.
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
    z.resize(static_cast<std::size_t>(batch->rows) * scores_per_row(model));
    score(model, *batch, z, limits.threads);
    take(*batch, z);
    progress.rows += batch->rows;
    if (observe) observe(progress);
  }
  return progress.rows;
}

}  // namespace linsep

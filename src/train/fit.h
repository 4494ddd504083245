// What `fit` shares with other ways from a spec to a model.
#pragma once

#include <optional>

#include "linsep/plan.h"
#include "linsep/train.h"

namespace linsep {

/// Fills in what a learner's model doesn't say of itself: learner, options, map, schema, features, and where scores are
/// log odds, that they are. `source` is the one before the map.
void complete_model(Model& model, const TrainPlan& plan, const Options& options, const Source& source);

/// How far θ can be from the optimum's, by the gap of the last pass: ‖θ − θ*‖² ≤ 2·gap·objective/λ, since the objective
/// is λ-strongly convex in θ. 0 where there is no gap, or none below 1.
double weight_error(const std::optional<double>& objective, const std::optional<double>& gap,
                    const std::optional<MarginResult>& margin);
/// Sets the model's, of a single classifier.
void note_weight_error(Outcome& outcome);
/// The limits of a run that began at `began`, with the time that is left: at least a moment, so that it ends by its own
/// rule.
TrainOptions with_time_left(const TrainOptions& limits, double began);
/// `fit`, whose model may have weights that aren't finite unless `check`.
Outcome fit_unchecked(Source& source, const TrainSpec& spec, const TrainOptions& base, Comm& comm,
                      const Observer& observe, bool check = false);

}  // namespace linsep

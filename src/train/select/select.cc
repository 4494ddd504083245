#include "linsep/select.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "data/map_source.h"
#include "learn/learners.h"
#include "linsep/error.h"
#include "train/fit.h"
#include "train/fit_many.h"
#include "train/loop.h"
#include "train/memory.h"
#include "train/row_order.h"
#include "train/select/paths.h"
#include "train/select/plan.h"

namespace linsep {
namespace {

/// The rows in another order, where the solver of any λ wants them so; else nullptr.
std::unique_ptr<Source> ordered_rows(Source& source, const TrainPlan& training, const SelectionPlan& plan,
                                     const std::vector<double>& lambdas, int threads) {
  const LearnerEntry& entry = learner_entry(training.learner->name);
  Options options = training.options;
  for (const double lambda : lambdas) {
    options["lambda"] = lambda;
    const VisitOrder order = entry.order(options, entry.choose(options, training.mapped, training.workers));
    if (order != VisitOrder::kGiven) return rows_in_order(source, order, {.seed = plan.seed, .threads = threads});
  }
  return nullptr;
}

/// Of equals the first, whose λ is greatest. Without a λ that all folds are done with, or without folds, the last that
/// is finished on all rows.
std::size_t choose(const std::vector<SelectionPoint>& path, bool by_loss) {
  std::size_t best = 0, finished = 0;
  bool found = false;
  for (std::size_t l = 0; l < path.size(); ++l) {
    if (path[l].mistakes >= 0) finished = l;
    if (!path[l].held_out) continue;
    const auto value = [&](std::size_t k) { return by_loss ? path[k].held_out->loss : path[k].held_out->error; };
    if (!found || value(l) < value(best)) best = l;
    found = true;
  }
  return found ? best : finished;
}

std::int64_t most_passes(const SelectionPlan& plan, std::size_t lambdas) {
  const double most = (static_cast<double>(get_integer(plan.options, "passes")) + 1) * static_cast<double>(lambdas);
  return static_cast<std::int64_t>(std::min(most, 1e18));
}

void finish(Selection& result, const SelectionPlan& plan, const SelectionPaths& paths) {
  const SelectionPoint& chosen = result.path[result.chosen];
  Outcome& outcome = result.outcome;
  outcome.model = paths.model_of(result.chosen);
  if (outcome.reason == StopReason::kConverged && !chosen.converged) outcome.reason = StopReason::kPasses;
  if (!outcome.history.empty()) {
    outcome.history.back().objective = chosen.objective;
    outcome.history.back().gap = chosen.gap;
  }
  if (plan.probabilities == "none" || !chosen.held_out) return;
  auto rows = paths.held_out(result.chosen);
  outcome.model.calibration =
      plan.probabilities == "platt" ? fit_sigmoid(std::move(rows)) : fit_isotonic(std::move(rows));
}

}  // namespace

void check_selection(const TrainSpec& spec, const Options& selection) {
  if (!selection.empty()) plan_selection(spec, selection);
}

Selection select(Source& source, const TrainSpec& spec, const Options& selection, const TrainOptions& limits,
                 Comm& comm, const Observer& observe) {
  const SelectionPlan plan = plan_selection(spec, selection);
  if (part_count(source.schema()) > 0) {
    throw options_error({"lambdas", "cv", "probabilities"}, "{}, {} and {} are for two classes and one label column");
  }
  const TrainPlan training = plan_training(source, spec, limits);
  if (source.shape().rows < 0) throw option_error("online", "λ can't be chosen on a stream: leave out {}");
  const auto paths_in_all = static_cast<std::uint64_t>(plan.folds) + 2;  // the scores of all rows count as one more
  share_memory(source, copies_of_state(limits) * paths_in_all * training.bytes, limits.memory);
  Options said = plan.options;
  said.merge(complete_options(selection_options(), selection));
  const auto checkpoints = open_checkpoints(limits, *training.learner, said, spec, source, comm);
  const bool mapped = spec.map.kind != FeatureMap::Kind::kNone;
  const std::unique_ptr<Source> given = mapped ? map_rows(source, spec.map) : nullptr;
  Source& in_given_order = given ? *given : source;
  const RowSurvey survey = survey_rows(in_given_order, plan.origin);
  const std::vector<double> lambdas = lambdas_of(plan, survey);
  const std::unique_ptr<Source> in_order = ordered_rows(source, training, plan, lambdas, limits.threads);
  const std::unique_ptr<Source> both = in_order && mapped ? map_rows(*in_order, spec.map) : nullptr;
  Source& rows = both ? *both : (in_order ? *in_order : in_given_order);

  SelectionPaths paths(plan, lambdas, spec.start, survey, limits.threads);
  TrainOptions all = limits;
  all.max_passes = most_passes(plan, lambdas.size());
  Selection result;
  result.outcome = train_from(checkpoints.get(), rows, paths, all, comm, observe);
  result.asked = lambdas.size();
  result.folds = plan.folds;
  result.total_weight = total_weight(survey, plan.classes);
  result.by_loss = plan.by_loss;
  result.path = paths.points();
  result.chosen = choose(result.path, plan.by_loss);
  finish(result, plan, paths);
  Options options = plan.options;
  options["lambda"] = result.path[result.chosen].lambda;
  Calibration fitted = std::move(result.outcome.model.calibration);
  complete_model(result.outcome.model, training, options, source);
  if (fitted.kind != Calibration::Kind::kNone) result.outcome.model.calibration = std::move(fitted);
  return result;
}

}  // namespace linsep

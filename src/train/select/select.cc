#include "linsep/select.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "data/map_source.h"
#include "learn/learners.h"
#include "linsep/error.h"
#include "train/finite.h"
#include "train/fit.h"
#include "train/fit_many.h"
#include "train/loop.h"
#include "train/memory.h"
#include "train/row_order.h"
#include "train/select/choose.h"
#include "train/select/folds.h"
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

std::int64_t most_passes(const SelectionPlan& plan, std::size_t lambdas) {
  const auto tried = static_cast<double>(lambdas + plan.most_added);
  const double most = (static_cast<double>(get_integer(plan.options, "passes")) + 1) * tried;
  return static_cast<std::int64_t>(std::min(most, 1e18));
}

Calibration fitted(const SelectionPlan& plan, std::vector<ScoredRow> rows) {
  return plan.probabilities == "platt" ? fit_sigmoid(std::move(rows)) : fit_isotonic(std::move(rows));
}

/// The chosen λ's classifiers as the outcome's model.
void keep_chosen(Selection& result, const SelectionPaths& paths, const Schema& schema) {
  const SelectionPoint& chosen = result.path[result.chosen];
  Outcome& outcome = result.outcome;
  std::vector<Model> models = paths.models_of(result.chosen);
  if (part_count(schema) > 0) {
    outcome.model = join_models(std::move(models), schema);
    outcome.parts = paths.parts_of(result.chosen);
  } else {
    outcome.model = std::move(models.front());
  }
  if (outcome.reason == StopReason::kConverged && !chosen.converged) outcome.reason = StopReason::kPasses;
  if (outcome.history.empty()) return;
  outcome.history.back().objective = chosen.objective;
  outcome.history.back().gap = chosen.gap;
}

/// Replaces what the loss says of probabilities.
void calibrate(Selection& result, const SelectionPlan& plan, const SelectionPaths& paths, std::size_t parts,
               Comm& comm) {
  if (plan.probabilities == "none" || !result.path[result.chosen].held_out) return;
  Model& model = result.outcome.model;
  model.calibrations.clear();
  if (model.offsets.empty()) {
    model.calibration = fitted(plan, paths.held_out(result.chosen, 0, comm));
    return;
  }
  for (std::size_t part = 0; part < parts; ++part) {
    model.calibrations.push_back(fitted(plan, paths.held_out(result.chosen, part, comm)));
  }
}

/// `fold`: of the caller's, by row; empty: folds are dealt out.
Selection select_by(Source& source, const TrainSpec& spec, const Options& selection, std::span<const std::int32_t> fold,
                    const TrainOptions& limits, Comm& comm, const Observer& observe) {
  const double began = limits.now();
  const SelectionPlan plan = plan_selection(spec, selection);
  const TrainPlan training = plan_training(source, spec, limits, comm.size());
  if (training.joint) {
    throw options_error({"lambdas", "Cs", "cv", "probabilities"},
                        "{}, {}, {} and {} train each class against the rest, not all classes together");
  }
  if (source.shape().rows < 0) throw option_error("online", "λ can't be chosen on a stream: leave out {}");
  const auto paths_in_all = static_cast<std::uint64_t>(plan.folds) + 2;  // the scores of all rows count as one more
  const MemoryNeed one = training_need(training, training.mapped, limits);
  share_memory(source, times(one, copies_of_state(limits) * paths_in_all), limits.memory, comm);
  Options said = plan.options;
  said.merge(complete_options(selection_options(), selection));
  const auto checkpoints = open_checkpoints(limits, *training.learner, said, spec, source, comm);
  const ClassWeights classes = class_weights(training, source, comm);
  const Options learner = learner_options(training, classes);
  const bool mapped = spec.map.kind != FeatureMap::Kind::kNone;
  const std::unique_ptr<Source> given = mapped ? map_rows(source, spec.map) : nullptr;
  Source& in_given_order = given ? *given : source;
  const RowSurvey survey = survey_rows(in_given_order, {wants_square(plan), plan.origin}, comm);
  Selection result;
  result.total_weight = total_weight(survey, classes, comm);
  const std::vector<double> lambdas = lambdas_of(plan, survey.square, result.total_weight);
  const std::unique_ptr<Source> in_order = ordered_rows(source, training, plan, lambdas, limits.threads);
  const std::unique_ptr<Source> both = in_order && mapped ? map_rows(*in_order, spec.map) : nullptr;
  Source& rows = both ? *both : (in_order ? *in_order : in_given_order);

  SelectionPaths paths({plan, learner, classes, survey, source, fold, spec.start, limits.threads}, lambdas, comm);
  TrainOptions all = with_time_left(limits, began);
  all.max_passes = most_passes(plan, lambdas.size());
  result.outcome = train_from(checkpoints.get(), rows, paths, all, comm, observe);
  result.asked = lambdas.size();
  result.added = paths.added();
  result.folds = plan.folds;
  result.by_loss = plan.by_loss;
  result.path = paths.points();
  result.chosen = choose_point(result.path, plan.by_loss);
  keep_chosen(result, paths, source.schema());
  Options options = plan.options;
  options["lambda"] = result.path[result.chosen].lambda;
  complete_model(result.outcome.model, training, options, source);
  calibrate(result, plan, paths, survey.parts, comm);
  require_finite(result.outcome, *training.learner, source, comm);
  return result;
}

}  // namespace

void check_selection(const TrainSpec& spec, const Options& selection) {
  const LearnerEntry& entry = learner_entry(spec.learner);
  const Options options = complete_options(entry.info.table, spec.options);
  Demand demand;
  if (entry.joint != nullptr && entry.joint(options)) demand = {.parts = 3, .joint = true};  // as many as may be meant
  if (entry.refuse != nullptr) entry.refuse(options, demand);
  if (!selection.empty()) plan_selection(spec, selection);
}

Selection select(Source& source, const TrainSpec& spec, const Options& selection, const TrainOptions& limits,
                 Comm& comm, const Observer& observe) {
  return select_by(source, spec, selection, {}, limits, comm, observe);
}

Selection select(Source& source, const TrainSpec& spec, const Options& selection, std::span<const std::int32_t> fold,
                 const TrainOptions& limits, const Observer& observe) {
  Options counted = complete_options(selection_options(), selection);
  const std::int64_t folds = count_folds(fold, source.shape().rows), asked = get_integer(counted, "cv");
  if (asked != 0 && asked != folds) {
    throw option_error("cv",
                       fmt::format("{{}} {} is another number of folds than the {} that are given", asked, folds));
  }
  if (!limits.checkpoint.path.empty()) throw option_error("checkpoint", "{} doesn't keep folds that are given");
  counted["cv"] = folds;
  return select_by(source, spec, counted, fold, limits, *solo(), observe);
}

}  // namespace linsep

// From a spec to an outcome: the plan is carried out.
#include "train/fit.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "data/map_source.h"
#include "data/weighted_source.h"
#include "learn/learners.h"
#include "train/finite.h"
#include "train/fit_many.h"
#include "train/hard_fit.h"
#include "train/loop.h"
#include "train/memory.h"
#include "train/row_order.h"

namespace linsep {
namespace {

/// The learner of a plan; `several` is it where it trains parts against the rest.
struct PlannedLearner {
  std::unique_ptr<Learner> learner;
  const OneVsRest* several = nullptr;
};

PlannedLearner make_learner(const TrainPlan& plan, const ClassWeights& weights, const Model* start,
                            const Source& source, int threads) {
  const LearnerEntry& entry = learner_entry(plan.learner->name);
  if (plan.parts == 0) {
    return {entry.make(learner_options(plan, weights), start, {threads, plan.workers, plan.choice})};
  }
  if (plan.joint) return {entry.make_joint(plan.options, plan.parts, {threads, plan.workers, plan.choice})};
  auto many = make_parts(source, threads, weights, [&](std::size_t part) {
    const std::optional<Model> own = start != nullptr ? std::optional(part_of(*start, part)) : std::nullopt;
    return entry.make(plan.options, own ? &*own : nullptr, {1, plan.workers, plan.choice});
  });
  const OneVsRest* several = many.get();
  return {std::move(many), several};
}

std::uint64_t seed_of(const Options& options) {
  return options.contains("seed") ? static_cast<std::uint64_t>(get_integer(options, "seed")) : 1;
}

}  // namespace

void complete_model(Model& model, const TrainPlan& plan, const Options& options, const Source& source) {
  const bool mapped = plan.map.kind != FeatureMap::Kind::kNone;
  model.learner = plan.learner->name;
  model.options = options;
  model.map = plan.map;
  model.regression = plan.learner->regression;
  model.schema = source.schema();
  model.schema.combinations.clear();
  model.schema.reading = {};
  model.schema.dropped = 0;
  if (model.schema.table) model.table = *model.schema.table;
  model.schema.table.reset();
  // A stream learns its width as it goes; without a map θ shows it.
  const auto width = static_cast<std::uint32_t>(weights_of(model, 0).size());
  model.features = std::max(source.shape().features, mapped ? 0U : width);
  const LearnerEntry& entry = learner_entry(plan.learner->name);
  const bool log_odds = entry.log_odds != nullptr && entry.log_odds(options);
  if (!log_odds || plan.joint) return;
  if (model.offsets.empty()) {
    model.calibration.kind = Calibration::Kind::kSigmoid;
  } else {
    model.calibrations.resize(model.offsets.size());
    for (Calibration& calibration : model.calibrations) calibration.kind = Calibration::Kind::kSigmoid;
  }
}

double weight_error(const std::optional<double>& objective, const std::optional<double>& gap,
                    const std::optional<MarginResult>& margin) {
  if (!objective || !gap || !margin || !(margin->lambda > 0) || !(*gap < 1)) return 0;
  constexpr double kRounding = 1 + 1e-12;
  const double error = kRounding * std::sqrt(2 * *gap * *objective / margin->lambda);
  return std::isfinite(error) ? error : 0;
}

void note_weight_error(Outcome& outcome) {
  if (outcome.history.empty()) return;
  const Progress& last = outcome.history.back();
  outcome.model.weight_error = weight_error(last.objective, last.gap, outcome.margin);
}

TrainOptions with_time_left(const TrainOptions& limits, double began) {
  constexpr double kMoment = 1e-6;
  TrainOptions left = limits;
  if (limits.time_limit > 0) left.time_limit = std::max(kMoment, limits.time_limit - (limits.now() - began));
  return left;
}

Outcome fit(Source& source, const TrainSpec& spec, const TrainOptions& base, Comm& comm, const Observer& observe) {
  return fit_unchecked(source, spec, base, comm, observe, true);
}

Outcome fit_unchecked(Source& source, const TrainSpec& spec, const TrainOptions& base, Comm& comm,
                      const Observer& observe, bool check) {
  const double began = base.now();
  const TrainPlan plan = plan_training(source, spec, base, comm.size());
  TrainOptions limits = base;
  limits.max_passes = plan.passes;
  const MemoryNeed need = times(training_need(plan, plan.mapped, base), copies_of_state(base));
  share_memory(source, need, base.memory, comm);
  const auto checkpoints = open_checkpoints(limits, *plan.learner, plan.options, spec, source, comm);
  const ClassWeights weights = class_weights(plan, source, comm);
  const HardQuestion question{plan.certifies && get_flag(plan.options, "origin"), plan.map};
  const bool resumed = checkpoints && checkpoints->resumed() != nullptr;  // then the rows are known to be separable
  if (plan.certifies && !resumed) {
    if (auto refused = refuse_inseparable(source, question, with_time_left(limits, began), comm, observe)) {
      complete_model(refused->model, plan, plan.options, source);
      return std::move(*refused);
    }
    share_memory(source, need, base.memory, comm);  // the proof had a share of its own
  }

  // What is proven afterwards, and labels of several parts, are looked up in the source.
  const bool take = spec.take_rows && plan.parts == 0 && !plan.certifies && plan.order == VisitOrder::kPermuted;
  if (observe && plan.order == VisitOrder::kPermuted) {
    Progress progress;
    progress.phase = Phase::kPermuting;
    progress.rows_in_all = plan.shape.rows;
    observe(progress);
  }
  const auto in_order = rows_in_order(source, plan.order, {seed_of(plan.options), take, spec.copy_rows, base.threads});
  Source& rows = in_order ? *in_order : source;
  const auto through_map = plan.map.kind != FeatureMap::Kind::kNone ? map_rows(rows, plan.map) : nullptr;
  Source& mapped = through_map ? *through_map : rows;
  const auto weighed = plan.joint && !weights.by_class.empty() ? weigh_classes(mapped, weights.by_class) : nullptr;
  Source& visited = weighed ? *weighed : mapped;
  const auto watched = watch_width(visited, plan, base);
  const PlannedLearner made = make_learner(plan, weights, spec.start, source, base.threads);
  if (spec.visits > 0 && comm.size() == 1) made.learner->record_visits(spec.visits);
  Outcome outcome = train_from(checkpoints.get(), watched ? *watched : visited, *made.learner,
                               with_time_left(limits, began), comm, observe);
  note_weight_error(outcome);
  if (made.several != nullptr) join_parts(*made.several, source.schema(), outcome);
  if (checkpoints) checkpoints->require_finite(outcome.model);
  complete_model(outcome.model, plan, plan.options, source);
  if (plan.certifies && !prove_margin(source, question, {spec.prove, limits}, comm, outcome) && !checkpoints) {
    const auto train_anew = [&](Source& scaled) {
      const PlannedLearner anew = make_learner(plan, weights, spec.start, source, base.threads);
      return train_from(nullptr, scaled, *anew.learner, with_time_left(limits, began), comm, observe);
    };
    if (auto scaled = fit_scaled(mapped, outcome, train_anew, comm)) {
      outcome = std::move(*scaled);
      complete_model(outcome.model, plan, plan.options, source);
      prove_margin(source, question, {spec.prove, limits}, comm, outcome);
    }
  }
  if (check) require_finite(outcome, *plan.learner, take ? rows : source, comm);
  if (spec.on_finished) spec.on_finished(take ? rows : source, outcome);
  return outcome;
}

}  // namespace linsep

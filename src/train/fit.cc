// Carries out the plan, from a spec to an outcome.
#include "train/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "data/decorators.h"
#include "learn/learners.h"
#include "learn/margin/penalty.h"
#include "linsep/error.h"
#include "linsep/tools/advice.h"
#include "numeric/exact_all_reduce.h"
#include "train/fit_many.h"
#include "train/loop.h"
#include "train/memory.h"
#include "train/row_order.h"
#include "train/start.h"

namespace linsep {
namespace {

/// The learner of a plan. `several` is the same learner if it trains parts against the rest.
struct PlannedLearner {
  std::unique_ptr<Learner> learner;
  const OneVsRest* several = nullptr;
};

PlannedLearner make_learner(const TrainPlan& plan, const ClassWeights& weights, const std::optional<Model>& start,
                            const Source& source, int threads) {
  const LearnerEntry& entry = learner_entry(plan.learner->name);
  if (plan.parts == 0) {
    return {
        entry.make(learner_options(plan, weights), start ? &*start : nullptr, {threads, plan.workers, plan.choice})};
  }
  if (plan.joint) return {entry.make_joint(plan.options, plan.parts, {threads, plan.workers, plan.choice})};
  auto many = make_parts(source, threads, weights, [&](std::size_t part) {
    const std::optional<Model> own = start ? std::optional(part_of(*start, part)) : std::nullopt;
    return entry.make(plan.options, own ? &*own : nullptr, {1, plan.workers, plan.choice});
  });
  const OneVsRest* several = many.get();
  return {std::move(many), several};
}

std::uint64_t seed_of(const Options& options) {
  return options.contains("seed") ? static_cast<std::uint64_t>(get_integer(options, "seed")) : 1;
}

}  // namespace

void Training::complete(Model& model, const Options& options) const {
  const bool mapped = plan.map.kind != FeatureMap::Kind::kNone;
  model.learner = plan.learner->name;
  model.options = options;
  model.map = plan.map;
  model.regression = plan.learner->regression;
  model.schema = source.schema();
  model.schema.combinations.clear();
  model.schema.reading = {};
  model.schema.dropped = 0;
  model.schema.tiny = {};
  if (model.schema.table) model.table = *model.schema.table;
  model.schema.table.reset();
  // A stream learns its width as it goes. Without a map θ shows it.
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
  const double error = kRounding * Penalty{margin->l1_ratio}.farthest(*gap * *objective / margin->lambda);
  return std::isfinite(error) ? error : 0;
}

void note_weight_error(Outcome& outcome) {
  if (outcome.history.empty()) return;
  const Progress& last = outcome.history.back();
  outcome.model.weight_error = weight_error(last.objective, last.gap, outcome.margin);
}

void note_training(Outcome& outcome) {
  TrainingRecord& record = outcome.model.training;
  record = {outcome.reason};
  if (outcome.history.empty()) return;
  const Progress& last = outcome.history.back();
  const auto sound = [](const std::optional<double>& number) {
    return number && std::isfinite(*number) && *number >= 0;
  };
  if (sound(last.objective)) record.objective = last.objective;
  if (!record.objective || !sound(last.gap)) return;
  record.gap = std::min(*last.gap, 1.0);
  record.bound = *record.objective * (1 - *record.gap);
}

Training::Training(Source& rows_to_learn, const TrainSpec& wanted, const TrainOptions& base, Comm& workers,
                   const Observer& observer)
    : Training(rows_to_learn, wanted, plan_training(rows_to_learn, wanted, base, workers.size()), base, workers,
               observer) {}

Training::Training(Source& rows_to_learn, const TrainSpec& wanted, TrainPlan planned, const TrainOptions& base,
                   Comm& workers, const Observer& observer, ManyRuns runs)
    : source(rows_to_learn),
      spec(wanted),
      comm(workers),
      observe(observer),
      began(base.now()),
      plan(std::move(planned)),
      runs_(std::move(runs)),
      limits_(base),
      order_(plan.order) {
  share_memory();
  Options options = plan.options;
  options.insert(runs_.options.begin(), runs_.options.end());
  checkpoints = open_checkpoints(limits_, *plan.learner, options, spec, source, comm);
  weights = class_weights(plan, source, comm);
  if (spec.start != nullptr) start = start_for(*spec.start, source, plan.map, plan.learner->regression);
}

TrainOptions Training::limits() const {
  constexpr double kMoment = 1e-6;
  TrainOptions left = limits_;
  if (left.time_limit > 0) left.time_limit = std::max(kMoment, left.time_limit - (left.now() - began));
  return left;
}

void Training::share_memory() const {
  const std::uint64_t copies = copies_of_state(limits_) * runs_.count;
  linsep::share_memory(source, planned_need(plan, limits_, copies), limits_.memory, comm,
                       smaller_choices(plan, limits_, copies));
}

/// What is proven afterwards, and labels of several parts, are looked up in the source.
bool Training::takes_rows() const {
  return spec.take_rows && plan.parts == 0 && !plan.certifies && order_ == VisitOrder::kPermuted;
}

Source& Training::mapped_rows() {
  if (plan.map.kind == FeatureMap::Kind::kNone) return rows();
  if (!through_map_) through_map_ = map_rows(rows(), plan.map);
  return *through_map_;
}

Source& Training::visited_rows() {
  if (observe && order_ == VisitOrder::kPermuted) {
    Progress progress;
    progress.phase = Phase::kPermuting;
    progress.rows_in_all = plan.shape.rows;
    observe(progress);
  }
  through_map_.reset();  // it is of the rows as they came
  in_order_ = rows_in_order(source, order_, {seed_of(plan.options), takes_rows(), spec.copy_rows, limits_.threads});
  if (plan.joint && !weights.by_class.empty()) weighed_ = weigh_classes(mapped_rows(), weights.by_class);
  Source& visited = weighed_ ? *weighed_ : mapped_rows();
  watched_ = watch_width(visited, plan, limits_);
  return watched_ ? *watched_ : visited;
}

Outcome Training::run(Learner& learner, VisitOrder order, std::int64_t passes) {
  order_ = order;
  limits_.max_passes = passes;
  Source& visited = visited_rows();
  return train_from(checkpoints.get(), visited, learner, limits(), comm, observe);
}

Outcome Training::run() {
  const PlannedLearner made = make_learner(plan, weights, start, source, limits_.threads);
  if (spec.visits > 0 && comm.size() == 1) made.learner->record_visits(spec.visits);
  Outcome outcome = run(*made.learner, plan.order, plan.passes);
  note_weight_error(outcome);
  if (made.several != nullptr) join_parts(*made.several, source.schema(), outcome);
  if (checkpoints) checkpoints->require_finite(outcome.model);
  complete(outcome.model, plan.options);
  note_training(outcome);
  return outcome;
}

Outcome Training::run_again(Source& mapped_rows) const {
  const PlannedLearner made = make_learner(plan, weights, start, source, limits_.threads);
  Outcome outcome = train_from(nullptr, mapped_rows, *made.learner, limits(), comm, observe);
  complete(outcome.model, plan.options);
  note_training(outcome);
  return outcome;
}

void Training::finish(const Outcome& outcome) {
  Source& left = takes_rows() ? rows() : source;
  require_finite(outcome, *plan.learner, left, comm);
  if (spec.on_finished) spec.on_finished(left, outcome);
}

Outcome fit(Source& source, const TrainSpec& spec, const TrainOptions& base, Comm& comm, const Observer& observe) {
  Training training(source, spec, base, comm, observe);
  if (training.plan.certifies) return fit_hard_margin(training);
  Outcome outcome = training.run();
  training.finish(outcome);
  return outcome;
}

namespace {

constexpr std::uint32_t kMostColumns = 1U << 24;  // more aren't searched for a message

bool all_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

bool objective_is_finite(const Outcome& outcome) {
  if (outcome.hard_margin) return true;  // the margin is proven, only the square that is its objective may overflow
  const auto fine = [](const std::optional<double>& value) { return !value || std::isfinite(*value); };
  return (outcome.history.empty() || fine(outcome.history.back().objective)) &&
         std::ranges::all_of(outcome.parts, [&](const PartOutcome& part) { return fine(part.objective); });
}

/// "column 'x3' goes from −1e+200 to 3e+200", or "" if nothing is known.
std::string widest_column(const Model& model, Source& rows, Comm& comm) {
  const Shape shape = rows.shape();
  if (all_reduce_any(comm, shape.rows <= 0 || shape.features > kMostColumns)) return "";
  const auto reach = [](const ColumnSize& column) {
    return std::max(std::fabs(column.least), std::fabs(column.greatest));
  };
  const std::vector<ColumnSize> columns = column_sizes(rows, comm);
  const auto widest = std::ranges::max_element(columns, {}, reach);
  if (widest == columns.end() || reach(*widest) == 0) return "";
  Model raw;
  raw.schema.feature_names = model.schema.feature_names;
  raw.table = model.table;
  return fmt::format("column '{}' goes from {:.3g} to {:.3g}", feature_name(raw, widest->column), widest->least,
                     widest->greatest);
}

/// Every intermediate classifier had its vote.
bool votes_are_finite(const Model& model) {
  std::vector<double> theta = model.theta;
  double offset = model.offset;
  for (std::size_t k = 0; k < model.kept.size(); ++k) {
    bool finite = true;
    for_each_entry(model.kept.row(k), [&](std::uint32_t column, double value) {
      if (column >= theta.size()) theta.resize(std::size_t{column} + 1);
      theta[column] += model.coefficient[k] * value;
      finite = finite && std::isfinite(theta[column]);
    });
    if (!model.origin) offset += model.coefficient[k];
    if (!finite || !std::isfinite(offset)) return false;
  }
  return true;
}

}  // namespace

bool is_finite(const Model& model) {
  if (model.form == Model::Form::kVoted && !votes_are_finite(model)) return false;
  return std::isfinite(model.offset) && all_finite(model.theta) && all_finite(model.offsets) &&
         all_finite(model.coefficient) && all_finite(model.kept.value);
}

void require_finite(const Outcome& outcome, const LearnerInfo& learner, Source& rows, Comm& comm) {
  const bool weights = is_finite(outcome.model), objective = objective_is_finite(outcome);
  if (!all_reduce_any(comm, !weights || !objective)) return;
  const std::string widest = widest_column(outcome.model, rows, comm);
  std::string sentence = fmt::format("training overflowed: {} not finite, so no model was written. ",
                                     weights ? "the objective is" : "the weights are");
  std::vector<std::string> options;
  if (find_option(learner.table, "rate") != nullptr) {
    options = {"rate"};
    sentence += "Use a smaller {}, or scale the columns to similar sizes";
  } else {
    sentence += "Scale the columns to similar sizes";
  }
  if (!widest.empty()) sentence += " (" + widest + ")";
  throw Error(Error::Kind::kInput, {}, options, sentence);
}

}  // namespace linsep

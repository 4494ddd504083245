#include "linsep/select.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/bytes.h"
#include "kernel/kernel.h"
#include "learn/learners.h"
#include "learn/margin/lambda_path.h"
#include "learn/one_vs_rest.h"
#include "linsep/error.h"
#include "numeric/compensated_sum.h"
#include "numeric/saved_rows.h"
#include "train/fit.h"
#include "train/fit_many.h"
#include "train/select/held_out.h"
#include "train/select/plan.h"

namespace linsep {
namespace {

// One λ path on all rows and, with folds, one on each fold's rows, for each classifier, through the same passes: when
// the passes end, every λ has its classifiers and every row a score by ones that didn't see it.
//
// All paths have the same λ. The objective's loss is a mean, so that λ means the same on fewer rows. Where the best λ
// stands at an end of the grid, all paths go on beyond it.

/// What the paths are made of. REQUIRES: what is referred to outlives them.
struct PathsSetting {
  const SelectionPlan& plan;
  const Training& training;
  const RowSurvey& survey;
  std::span<const std::int32_t> fold;  ///< by row, of the caller's. If empty, folds are dealt out
};

/// The paths as one learner, and what they find.
class SelectionPaths final : public Learner {
 public:
  /// A collective call.
  SelectionPaths(const PathsSetting& setting, std::vector<double> lambdas);

  void begin(const Shape& shape) override;
  void visit(const Batch& batch) override { learner_->visit(batch); }
  void synchronise(Comm& comm) override;
  Verdict end_pass(Progress& progress) override;
  void set_stop(const StopFunction& stop) override { learner_->set_stop(stop); }
  std::int64_t passes_to_finish() override { return learner_->passes_to_finish(); }
  Model model() const override { return learner_->model(); }
  TrainingStats stats() const override { return learner_->stats(); }
  std::string save_state() const override;
  void load_state(const std::string& bytes) override;

  /// λ descending: those that every classifier has come to.
  std::vector<SelectionPoint> points() const;
  /// λ beyond those that were asked for.
  std::size_t added() const { return lambdas_.size() - asked_; }
  /// How many points there are.
  std::size_t reached() const;
  /// The classifiers of point number `point`, a model each, and how each of them ended.
  std::vector<Model> models_of(std::size_t point) const;
  std::vector<PartOutcome> parts_of(std::size_t point) const;
  /// How the first of them was found.
  MarginResult how_found(std::size_t point, double total_weight) const;
  /// Scores of all workers' rows by classifier number `part`. REQUIRES: `point` is the best of those that are held out.
  /// A collective call.
  std::vector<ScoredRow> held_out(std::size_t point, std::size_t part, Comm& comm) const;

 private:
  /// One λ. Scores are by part and row; they are kept while they are needed.
  struct Scores {
    std::vector<double> whole, held;
    std::int64_t mistakes = -1;
    std::optional<HeldOut> held_out;
    bool complete() const { return mistakes >= 0 && held_out; }
  };

  std::size_t row_of(const Batch& batch, std::int64_t i) const {
    return static_cast<std::size_t>(batch.number_of(i) - set_.survey.first_row);
  }
  ManyTask whole_task(std::size_t part);
  ManyTask fold_task(std::int64_t k, std::size_t part);
  ManyTask task_of(std::size_t part, std::unique_ptr<Learner> path) const;
  void score_whole(std::size_t part, std::size_t l, const Model& model, const Batch& batch);
  void score_held_out(std::int64_t k, std::size_t part, std::size_t l, const Model& model, const Batch& batch);
  void make_room();
  void drop_scores();
  bool extend();
  bool beyond_features() const;
  std::int64_t support_of(std::size_t l) const;
  std::vector<std::size_t> descending(std::size_t count) const;
  SelectionPoint judged(std::size_t l) const;
  SelectionPoint point_of(std::size_t l) const;

  const PathsSetting set_;
  const Options options_;  // of the learner, as it takes them
  const std::size_t asked_;
  std::vector<double> lambdas_;         // in the order in which they are trained
  std::vector<std::uint16_t> fold_;     // by row
  std::vector<Scores> scores_;          // by λ
  std::vector<LambdaPath*> whole_;      // by part
  std::vector<LambdaPath*> folds_;      // by fold and part
  std::unique_ptr<OneVsRest> learner_;  // owns the paths
};

double norm_of(const std::vector<double>& theta) {
  double square = 0;
  for (const double x : theta) square += x * x;
  return square > 1e-280 && square < 1e280 ? std::sqrt(square) : length_of(theta);
}

SparseWeights sparse_weights(const Model& model) {
  SparseWeights found;
  found.offset = model.offset;
  for (std::size_t j = 0; j < model.theta.size(); ++j) {
    if (model.theta[j] == 0) continue;
    found.feature.push_back(static_cast<std::uint32_t>(j));
    found.weight.push_back(model.theta[j]);
  }
  return found;
}

/// Whether all these paths have scored λ number l once the pass under way has ended.
bool all_score(const std::vector<LambdaPath*>& paths, std::size_t l) {
  return std::ranges::all_of(paths, [&](const LambdaPath* path) { return path->scored() > l || path->scoring() == l; });
}

SelectionPaths::SelectionPaths(const PathsSetting& setting, std::vector<double> lambdas)
    : set_(setting),
      options_(learner_options(setting.training.plan, setting.training.weights)),
      asked_(lambdas.size()),
      lambdas_(std::move(lambdas)),
      scores_(lambdas_.size()) {
  const std::int64_t folds = set_.plan.folds;
  if (folds > 0 && !set_.fold.empty()) {
    fold_.assign(set_.fold.begin(), set_.fold.end());
  } else if (folds > 0) {
    fold_ = deal_folds(set_.survey.label, set_.survey.first_row, folds, set_.plan.seed, set_.training.comm);
  }
  std::vector<ManyTask> tasks;
  for (std::size_t part = 0; part < set_.survey.parts; ++part) tasks.push_back(whole_task(part));
  for (std::int64_t k = 0; k < folds; ++k) {
    for (std::size_t part = 0; part < set_.survey.parts; ++part) tasks.push_back(fold_task(k, part));
  }
  learner_ = std::make_unique<OneVsRest>(std::move(tasks), set_.training.limits().threads);
}

ManyTask SelectionPaths::whole_task(std::size_t part) {
  const Training& training = set_.training;
  const bool single = set_.survey.parts == 1, alone = single && set_.plan.folds == 0;
  std::optional<Model> start;
  if (training.start) start = single ? *training.start : part_of(*training.start, part);
  auto path = std::make_unique<LambdaPath>(
      options_, lambdas_, start ? &*start : nullptr, [this, part](auto&&... rows) { score_whole(part, rows...); }, true,
      LearnerRun(alone ? training.limits().threads : 1, training.comm.size()));
  whole_.push_back(path.get());
  return task_of(part, std::move(path));
}

// A fold starts from nothing: a model to start from may have seen the rows that it holds out.
ManyTask SelectionPaths::fold_task(std::int64_t k, std::size_t part) {
  auto path = std::make_unique<LambdaPath>(
      options_, lambdas_, nullptr, [this, k, part](auto&&... rows) { score_held_out(k, part, rows...); }, false,
      LearnerRun(1, set_.training.comm.size()));
  folds_.push_back(path.get());
  ManyTask task = task_of(part, std::move(path));
  task.weighs = true;
  task.relabel = [this, k, as_whole = std::move(task.relabel)](const Batch& rows, std::span<double> label,
                                                               std::span<double> weight) {
    if (as_whole) as_whole(rows, label, weight);
    for (std::size_t i = 0; i < weight.size(); ++i) {
      if (fold_[row_of(rows, static_cast<std::int64_t>(i))] == k) weight[i] = 0;
    }
  };
  return task;
}

/// With all rows. A single classifier takes labels and weights as they are.
ManyTask SelectionPaths::task_of(std::size_t part, std::unique_ptr<Learner> path) const {
  if (set_.survey.parts == 1) return {std::move(path), {}, false};
  return part_task(set_.training.source, part, set_.training.weights, std::move(path));
}

void SelectionPaths::begin(const Shape& shape) {
  learner_->begin(shape);
  make_room();
}

void SelectionPaths::score_whole(std::size_t part, std::size_t l, const Model& model, const Batch& batch) {
  double* scores = scores_[l].whole.data() + part * set_.survey.rows();
  for_each_row(batch, [&](const auto& row, std::int64_t i) {
    scores[row_of(batch, i)] = dot(row, model.theta.data()) + model.offset;
  });
}

void SelectionPaths::score_held_out(std::int64_t k, std::size_t part, std::size_t l, const Model& model,
                                    const Batch& batch) {
  double* scores = scores_[l].held.data() + part * set_.survey.rows();
  for_each_row(batch, [&](const auto& row, std::int64_t i) {
    const std::size_t at = row_of(batch, i);
    if (fold_[at] == k) scores[at] = dot(row, model.theta.data()) + model.offset;
  });
}

/// For the scores of the next pass.
void SelectionPaths::make_room() {
  const std::size_t size = set_.survey.parts * set_.survey.rows();
  for (const LambdaPath* path : whole_) {
    if (const auto l = path->scoring()) scores_[*l].whole.resize(size);
  }
  for (const LambdaPath* path : folds_) {
    if (const auto l = path->scoring()) scores_[*l].held.resize(size);
  }
}

void SelectionPaths::synchronise(Comm& comm) {
  learner_->synchronise(comm);
  for (std::size_t l = 0; l < scores_.size(); ++l) {
    Scores& scores = scores_[l];
    if (scores.mistakes < 0 && all_score(whole_, l)) {
      scores.mistakes = count_mistakes(set_.survey, scores.whole, comm);
      scores.whole = {};
    }
    if (!folds_.empty() && !scores.held_out && all_score(folds_, l)) {
      scores.held_out = summarize_held_out(set_.survey, fold_, set_.plan.folds, scores.held, set_.plan.loss,
                                           set_.training.weights, comm);
    }
  }
  drop_scores();
}

/// Probabilities are fitted to the scores of the best λ alone.
void SelectionPaths::drop_scores() {
  std::vector<SelectionPoint> judged_points;
  std::vector<std::size_t> order;
  for (const std::size_t l : descending(scores_.size())) {
    if (!scores_[l].complete()) continue;
    judged_points.push_back(judged(l));
    order.push_back(l);
  }
  const bool wanted = set_.plan.probabilities != "none";
  if (order.empty() || (wanted && set_.plan.choice.one_se)) return;  // a point may be chosen once better ones are known
  const std::size_t best = order[choose_point(judged_points, set_.plan.choice)];
  for (const std::size_t l : order) {
    if (l != best || !wanted) scores_[l].held = {};
  }
}

Verdict SelectionPaths::end_pass(Progress& progress) {
  Verdict verdict = learner_->end_pass(progress);
  if (beyond_features()) verdict = Verdict::kConverged;
  if (verdict == Verdict::kConverged && added() < set_.plan.most_added && extend()) verdict = Verdict::kContinue;
  make_room();
  return verdict;
}

/// Whether the path has come to a model with more features than are wanted; those to come have more still, or nearly
/// so.
bool SelectionPaths::beyond_features() const {
  const std::int64_t most = set_.plan.choice.features;
  if (most == 0) return false;
  std::size_t judged_points = 0;
  while (judged_points < scores_.size() && scores_[judged_points].mistakes >= 0 &&
         (folds_.empty() || scores_[judged_points].held_out)) {
    ++judged_points;
  }
  return judged_points > 0 && support_of(judged_points - 1) > most;
}

std::int64_t SelectionPaths::support_of(std::size_t l) const {
  std::vector<char> used;
  for (const LambdaPath* path : whole_) {
    const std::vector<double> theta = path->point(l).model.theta;
    used.resize(std::max(used.size(), theta.size()));
    for (std::size_t j = 0; j < theta.size(); ++j) used[j] |= theta[j] != 0 ? 1 : 0;
  }
  return std::ranges::count(used, char{1});
}

/// One λ more for all paths, where the best stands at an end. False: it doesn't.
bool SelectionPaths::extend() {
  if (asked_ < 2) return false;
  std::vector<SelectionPoint> path;
  for (const std::size_t l : descending(scores_.size())) path.push_back(judged(l));
  const auto lambda = next_lambda(path, set_.plan.choice, lambdas_[0] / lambdas_[1]);
  if (!lambda) return false;
  lambdas_.push_back(*lambda);
  scores_.emplace_back();
  for (LambdaPath* one : whole_) one->add(*lambda);
  for (LambdaPath* one : folds_) one->add(*lambda);
  learner_->reopen();
  return true;
}

/// The numbers of the first `count` λ, the greatest first.
std::vector<std::size_t> SelectionPaths::descending(std::size_t count) const {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return lambdas_[a] > lambdas_[b]; });
  return order;
}

/// What a choice between λ looks at.
SelectionPoint SelectionPaths::judged(std::size_t l) const {
  SelectionPoint point;
  point.lambda = lambdas_[l];
  point.mistakes = scores_[l].mistakes;
  if (set_.plan.choice.features > 0) point.support = support_of(l);
  if (scores_[l].complete()) point.held_out = scores_[l].held_out;
  return point;
}

SelectionPoint SelectionPaths::point_of(std::size_t l) const {
  SelectionPoint shown = judged(l);
  shown.gap = 0;
  shown.support = support_of(l);
  shown.converged = true;
  for (const LambdaPath* path : whole_) {
    const LambdaPoint point = path->point(l);
    shown.objective += point.objective;
    shown.gap = std::max(shown.gap, point.gap);
    shown.norm =
        whole_.size() == 1 ? norm_of(point.model.theta) : length_of(std::array{shown.norm, norm_of(point.model.theta)});
    shown.passes = std::max(shown.passes, point.passes);
    shown.converged = shown.converged && point.converged;
    if (set_.plan.penalty.has_l1()) shown.weights.push_back(sparse_weights(point.model));
  }
  return shown;
}

std::size_t SelectionPaths::reached() const {
  std::size_t count = lambdas_.size();
  for (const LambdaPath* path : whole_) count = std::min(count, path->size());
  return count;
}

std::vector<SelectionPoint> SelectionPaths::points() const {
  std::vector<SelectionPoint> all;
  for (const std::size_t l : descending(reached())) all.push_back(point_of(l));
  return all;
}

std::vector<Model> SelectionPaths::models_of(std::size_t point) const {
  const std::size_t l = descending(reached())[point];
  std::vector<Model> models;
  for (const LambdaPath* path : whole_) models.push_back(path->point(l).model);
  return models;
}

std::vector<PartOutcome> SelectionPaths::parts_of(std::size_t point) const {
  const std::size_t l = descending(reached())[point];
  std::vector<PartOutcome> parts;
  for (const LambdaPath* path : whole_) {
    const LambdaPoint found = path->point(l);
    parts.push_back({found.converged, found.passes, 0, found.objective, found.gap});
  }
  return parts;
}

MarginResult SelectionPaths::how_found(std::size_t point, double total_weight) const {
  const LambdaPoint found = whole_.front()->point(descending(reached())[point]);
  return {found.solver, found.because, found.lambda, 1 / (found.lambda * total_weight), set_.plan.penalty.l1_ratio};
}

std::vector<ScoredRow> SelectionPaths::held_out(std::size_t point, std::size_t part, Comm& comm) const {
  return scored_rows(set_.survey, scores_[descending(reached())[point]].held, part, comm);
}

std::string SelectionPaths::save_state() const {
  ByteWriter writer;
  writer.text("paths 2");
  writer.numbers(lambdas_);
  for (const Scores& scores : scores_) {
    writer.number(scores.mistakes);
    writer.number(static_cast<std::uint8_t>(scores.held_out.has_value()));
    const HeldOut held = scores.held_out.value_or(HeldOut{});
    for (const double x : {held.error, held.error_spread, held.loss, held.loss_spread}) writer.number(x);
    writer.numbers(scores.whole);
    writer.numbers(scores.held);
  }
  writer.text(learner_->save_state());
  return writer.take();
}

void SelectionPaths::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("paths 2");
  const auto lambdas = reader.numbers<double>();
  require_state(lambdas.size() >= asked_ && lambdas.size() <= asked_ + set_.plan.most_added &&
                std::equal(lambdas_.begin(), lambdas_.end(), lambdas.begin()));
  for (std::size_t l = asked_; l < lambdas.size(); ++l) {
    require_state(lambdas[l] > 0 && std::isfinite(lambdas[l]));
    for (LambdaPath* one : whole_) one->add(lambdas[l]);
    for (LambdaPath* one : folds_) one->add(lambdas[l]);
  }
  lambdas_ = lambdas;
  scores_.assign(lambdas.size(), {});
  const std::size_t size = set_.survey.parts * set_.survey.rows();
  for (Scores& scores : scores_) {
    scores.mistakes = reader.number<std::int64_t>();
    require_state(scores.mistakes >= -1, "a count in it is out of range");
    const bool held_out = reader.flag();
    HeldOut held;
    for (double* x : {&held.error, &held.error_spread, &held.loss, &held.loss_spread}) *x = reader.finite();
    if (held_out) scores.held_out = held;
    scores.whole = reader.numbers_or_none<double>(size);
    scores.held = reader.numbers_or_none<double>(size);
  }
  learner_->load_state(reader.text());
  reader.end();
  make_room();
}

/// The order in which the solver of some λ wants the rows, if it isn't that in which they come.
VisitOrder order_of(const TrainPlan& training, const std::vector<double>& lambdas) {
  const LearnerEntry& entry = learner_entry(training.learner->name);
  Options options = training.options;
  for (const double lambda : lambdas) {
    options["lambda"] = lambda;
    const VisitOrder order = entry.order(options, entry.choose(options, training.mapped, training.workers));
    if (order != VisitOrder::kGiven) return order;
  }
  return VisitOrder::kGiven;
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
  outcome.margin = paths.how_found(result.chosen, result.total_weight);
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

/// Throws a usage Error if the plan's learner has no path of λ on these rows.
void require_paths(const TrainPlan& training) {
  if (training.joint) {
    throw options_error({"lambdas", "Cs", "cv", "probabilities"},
                        "{}, {}, {} and {} train each class against the rest, not all classes together");
  }
  if (training.shape.rows < 0) {
    throw option_error("online", "choosing λ needs a file, because it reads the rows more than once: leave out {}");
  }
}

/// `fold` is the caller's, by row. If it is empty, folds are dealt out.
Selection select_by(Source& source, const TrainSpec& spec, const Options& selection, std::span<const std::int32_t> fold,
                    const TrainOptions& limits, Comm& comm, const Observer& observe) {
  SelectionPlan plan = plan_selection(spec, selection);
  TrainPlan planned = plan_training(source, spec, limits, comm.size());
  require_paths(planned);
  plan.options = planned.options;  // settled for these rows
  plan.loss = margin_loss(plan.options);
  const auto paths_in_all = static_cast<std::uint64_t>(plan.folds) + 2;  // the scores of all rows count as one more
  Training training(source, spec, std::move(planned), limits, comm, observe,
                    {paths_in_all, complete_options(selection_options(), selection)});
  const RowSurvey survey = survey_rows(training.mapped_rows(), {wants_square(plan), plan.origin}, comm);
  Selection result;
  result.total_weight = total_weight(survey, training.weights, comm);
  const double suited_to = wants_greatest(plan) ? greatest_lambda(training.mapped_rows(), survey, training.weights,
                                                                  {plan.loss, plan.penalty, plan.origin}, comm)
                                                : survey.square;
  const std::vector<double> lambdas = lambdas_of(plan, suited_to, result.total_weight);
  SelectionPaths paths({plan, training, survey, fold}, lambdas);
  result.outcome = training.run(paths, order_of(training.plan, lambdas), most_passes(plan, lambdas.size()));
  result.asked = lambdas.size();
  result.added = paths.added();
  result.folds = plan.folds;
  result.by_loss = plan.choice.by_loss;
  result.one_se = plan.choice.one_se;
  result.features = plan.choice.features;
  result.path = paths.points();
  result.chosen = choose_point(result.path, plan.choice);
  if (plan.choice.features > 0 && result.path[result.chosen].support > plan.choice.features) {
    throw option_error("features", fmt::format("even the largest λ leaves {} features: begin the path at a larger one",
                                               result.path[result.chosen].support));
  }
  keep_chosen(result, paths, source.schema());
  Options options = plan.options;
  options["lambda"] = result.path[result.chosen].lambda;
  training.complete(result.outcome.model, options);
  note_training(result.outcome);
  calibrate(result, plan, paths, survey.parts, comm);
  training.finish(result.outcome);
  return result;
}

}  // namespace

void check_selection(const TrainSpec& spec, const Options& selection) {
  const LearnerEntry& entry = learner_entry(spec.learner);
  const Options options = complete_options(entry.info.table, spec.options);
  TrainingRequest demand;
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
    throw option_error("cv", fmt::format("{{}} {} doesn't match the {} folds given", asked, folds));
  }
  if (!limits.checkpoint.path.empty()) throw option_error("checkpoint", "{} can't save folds that are given");
  counted["cv"] = folds;
  return select_by(source, spec, counted, fold, limits, *solo(), observe);
}

}  // namespace linsep

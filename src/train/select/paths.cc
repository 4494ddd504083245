#include "train/select/paths.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/bytes.h"
#include "kernel/kernel.h"
#include "numeric/length.h"
#include "numeric/saved_rows.h"
#include "train/fit_many.h"
#include "train/select/choose.h"
#include "train/select/folds.h"

namespace linsep {
namespace {

double norm_of(const std::vector<double>& theta) {
  double square = 0;
  for (const double x : theta) square += x * x;
  return square > 1e-280 && square < 1e280 ? std::sqrt(square) : length_of(theta);
}

/// Whether all these paths have scored λ number l once the pass under way has ended.
bool all_score(const std::vector<LambdaPath*>& paths, std::size_t l) {
  return std::ranges::all_of(paths, [&](const LambdaPath* path) { return path->scored() > l || path->scoring() == l; });
}

}  // namespace

SelectionPaths::SelectionPaths(const PathsSetting& setting, std::vector<double> lambdas, Comm& comm)
    : set_(setting),
      workers_(comm.size()),
      asked_(lambdas.size()),
      lambdas_(std::move(lambdas)),
      scores_(lambdas_.size()) {
  const std::int64_t folds = set_.plan.folds;
  if (folds > 0 && !set_.fold.empty()) {
    fold_.assign(set_.fold.begin(), set_.fold.end());
  } else if (folds > 0) {
    fold_ = deal_folds(set_.survey.label, set_.survey.first_row, folds, set_.plan.seed, comm);
  }
  std::vector<ManyTask> tasks;
  for (std::size_t part = 0; part < set_.survey.parts; ++part) tasks.push_back(whole_task(part));
  for (std::int64_t k = 0; k < folds; ++k) {
    for (std::size_t part = 0; part < set_.survey.parts; ++part) tasks.push_back(fold_task(k, part));
  }
  learner_ = std::make_unique<OneVsRest>(std::move(tasks), set_.threads);
}

ManyTask SelectionPaths::whole_task(std::size_t part) {
  const std::size_t parts = set_.survey.parts;
  const bool alone = parts == 1 && set_.plan.folds == 0;
  std::optional<Model> start;
  if (set_.start != nullptr) start = parts == 1 ? *set_.start : part_of(*set_.start, part);
  auto path = std::make_unique<LambdaPath>(
      set_.options, lambdas_, start ? &*start : nullptr, [this, part](auto&&... rows) { score_whole(part, rows...); },
      true, LearnerRun(alone ? set_.threads : 1, workers_));
  whole_.push_back(path.get());
  if (parts == 1) return {std::move(path), {}, false};
  const auto relabel = [this, part](const Batch& rows, std::span<double> label, std::span<double> weight) {
    label_part(set_.source, part, rows, label);
    for (std::size_t i = 0; i < weight.size(); ++i) {
      weight[i] *= set_.classes.of_class(static_cast<std::size_t>(rows.label[i]));
    }
  };
  return {std::move(path), relabel, !set_.classes.by_class.empty()};
}

// A fold starts from nothing: a model to start from may have seen the rows that it holds out.
ManyTask SelectionPaths::fold_task(std::int64_t k, std::size_t part) {
  auto path = std::make_unique<LambdaPath>(
      set_.options, lambdas_, nullptr, [this, k, part](auto&&... rows) { score_held_out(k, part, rows...); }, false,
      LearnerRun(1, workers_));
  folds_.push_back(path.get());
  const auto relabel = [this, k, part](const Batch& rows, std::span<double> label, std::span<double> weight) {
    if (set_.survey.parts > 1) label_part(set_.source, part, rows, label);
    const bool by_class = !set_.classes.by_class.empty();
    for (std::size_t i = 0; i < weight.size(); ++i) {
      if (fold_[row_of(rows, static_cast<std::int64_t>(i))] == k) {
        weight[i] = 0;
      } else if (by_class) {
        weight[i] *= set_.classes.of_class(static_cast<std::size_t>(rows.label[i]));
      }
    }
  };
  return {std::move(path), relabel, true};
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
      scores.held_out =
          summarise_held_out(set_.survey, fold_, set_.plan.folds, scores.held, set_.plan.loss, set_.classes, comm);
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
  if (order.empty()) return;
  const std::size_t best = order[choose_point(judged_points, set_.plan.by_loss)];
  for (const std::size_t l : order) {
    if (l != best || set_.plan.probabilities == "none") scores_[l].held = {};
  }
}

Verdict SelectionPaths::end_pass(Progress& progress) {
  Verdict verdict = learner_->end_pass(progress);
  if (verdict == Verdict::kConverged && added() < set_.plan.most_added && extend()) verdict = Verdict::kContinue;
  make_room();
  return verdict;
}

/// One λ more for all paths, where the best stands at an end. False: it doesn't.
bool SelectionPaths::extend() {
  if (asked_ < 2) return false;
  std::vector<SelectionPoint> path;
  for (const std::size_t l : descending(scores_.size())) path.push_back(judged(l));
  const auto lambda = next_lambda(path, set_.plan.by_loss, lambdas_[0] / lambdas_[1]);
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
  if (scores_[l].complete()) point.held_out = scores_[l].held_out;
  return point;
}

SelectionPoint SelectionPaths::point_of(std::size_t l) const {
  SelectionPoint shown = judged(l);
  shown.gap = 0;
  shown.converged = true;
  for (const LambdaPath* path : whole_) {
    const LambdaPoint point = path->point(l);
    shown.objective += point.objective;
    shown.gap = std::max(shown.gap, point.gap);
    shown.norm =
        whole_.size() == 1 ? norm_of(point.model.theta) : length_of(std::array{shown.norm, norm_of(point.model.theta)});
    shown.passes = std::max(shown.passes, point.passes);
    shown.converged = shown.converged && point.converged;
  }
  return shown;
}

std::vector<SelectionPoint> SelectionPaths::points() const {
  std::size_t count = lambdas_.size();
  for (const LambdaPath* path : whole_) count = std::min(count, path->size());
  std::vector<SelectionPoint> all;
  for (const std::size_t l : descending(count)) all.push_back(point_of(l));
  return all;
}

std::vector<Model> SelectionPaths::models_of(std::size_t point) const {
  const std::size_t l = descending(points().size())[point];
  std::vector<Model> models;
  for (const LambdaPath* path : whole_) models.push_back(path->point(l).model);
  return models;
}

std::vector<PartOutcome> SelectionPaths::parts_of(std::size_t point) const {
  const std::size_t l = descending(points().size())[point];
  std::vector<PartOutcome> parts;
  for (const LambdaPath* path : whole_) {
    const LambdaPoint found = path->point(l);
    parts.push_back({found.converged, found.passes, 0, found.objective, found.gap});
  }
  return parts;
}

std::vector<ScoredRow> SelectionPaths::held_out(std::size_t point, std::size_t part, Comm& comm) const {
  return scored_rows(set_.survey, scores_[descending(points().size())[point]].held, part, comm);
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

}  // namespace linsep

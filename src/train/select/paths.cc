#include "train/select/paths.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/bytes.h"
#include "kernel/kernel.h"
#include "numeric/length.h"
#include "numeric/saved_rows.h"
#include "train/select/folds.h"

namespace linsep {
namespace {

double norm_of(const std::vector<double>& theta) {
  double square = 0;
  for (const double x : theta) square += x * x;
  return square > 1e-280 && square < 1e280 ? std::sqrt(square) : length_of(theta);
}

}  // namespace

SelectionPaths::SelectionPaths(const SelectionPlan& plan, const std::vector<double>& lambdas, const Model* start,
                               const RowSurvey& survey, int threads)
    : plan_(plan), survey_(survey), mistakes_(lambdas.size(), 0) {
  const bool folds = plan.folds > 0;
  auto whole = std::make_unique<LambdaPath>(
      plan.options, lambdas, start, [this](auto&&... rows) { count_mistakes(rows...); }, true, folds ? 1 : threads);
  whole_ = whole.get();
  std::vector<ManyTask> tasks;
  tasks.push_back({std::move(whole), {}, false});
  if (folds) {
    fold_ = deal_folds(survey.positive, plan.folds, plan.seed);
    score_.assign(lambdas.size(), std::vector<double>(fold_.size()));
  }
  for (std::int64_t k = 0; k < plan.folds; ++k) tasks.push_back(fold_task(k, lambdas));
  learner_ = std::make_unique<OneVsRest>(std::move(tasks), threads);
}

// A fold starts from nothing: a model to start from may have seen the rows that it holds out.
ManyTask SelectionPaths::fold_task(std::int64_t k, const std::vector<double>& lambdas) {
  auto path = std::make_unique<LambdaPath>(
      plan_.options, lambdas, nullptr, [this, k](auto&&... rows) { score_held_out(k, rows...); }, false, 1);
  folds_.push_back(path.get());
  const auto leave_out = [this, k](const Batch& rows, std::span<double> /*label*/, std::span<double> weight) {
    for (std::int64_t i = 0; i < rows.rows; ++i) {
      if (fold_[row_of(rows, i)] == k) weight[static_cast<std::size_t>(i)] = 0;
    }
  };
  return {std::move(path), leave_out, true};
}

std::vector<SelectionPoint> SelectionPaths::points() const {
  std::vector<SelectionPoint> all;
  std::size_t scored = plan_.folds > 0 ? mistakes_.size() : 0;
  for (const LambdaPath* path : folds_) scored = std::min(scored, path->scored());
  for (const LambdaPoint& point : whole_->points()) {
    const std::size_t l = all.size();
    SelectionPoint& shown = all.emplace_back();
    shown.lambda = point.lambda;
    shown.objective = point.objective;
    shown.gap = point.gap;
    shown.norm = norm_of(point.model.theta);
    if (point.scored) shown.mistakes = mistakes_[l];
    shown.passes = point.passes;
    shown.converged = point.converged;
    if (l < scored && point.scored) {
      shown.held_out = summarise_held_out(survey_, fold_, plan_.folds, score_[l], plan_.loss, plan_.classes);
    }
  }
  return all;
}

void SelectionPaths::count_mistakes(std::size_t l, const Model& model, const Batch& batch) {
  for_each_row(batch, [&](const auto& row, std::int64_t i) {
    const double z = dot(row, model.theta.data()) + model.offset;
    if (!(batch.label[static_cast<std::size_t>(i)] * z > 0)) ++mistakes_[l];
  });
}

void SelectionPaths::score_held_out(std::int64_t k, std::size_t l, const Model& model, const Batch& batch) {
  for_each_row(batch, [&](const auto& row, std::int64_t i) {
    const std::size_t at = row_of(batch, i);
    if (fold_[at] == k) score_[l][at] = dot(row, model.theta.data()) + model.offset;
  });
}

std::string SelectionPaths::save_state() const {
  ByteWriter writer;
  writer.text("paths 1");
  writer.numbers(mistakes_);
  for (const std::vector<double>& scores : score_) writer.numbers(scores);
  writer.text(learner_->save_state());
  return writer.take();
}

void SelectionPaths::load_state(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.expect("paths 1");
  const std::size_t lambdas = mistakes_.size();
  mistakes_ = reader.numbers<std::int64_t>();
  require_state(mistakes_.size() == lambdas);
  for (std::vector<double>& scores : score_) {
    scores = reader.numbers<double>();
    require_state(scores.size() == fold_.size());
  }
  learner_->load_state(reader.text());
  reader.end();
}

}  // namespace linsep

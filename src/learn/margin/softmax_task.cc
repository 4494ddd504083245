#include "learn/margin/softmax.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/elementary.h"
#include "linsep/error.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {
namespace {

constexpr double kFar = 800;  // e^−800 is 0

bool all_finite(std::span<const double> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

void SoftmaxTask::begin(const Shape& shape) {
  if (shape.rows < 0) throw usage_error("the learner margin needs data of known size, not a stream");
  features_ = shape.features;
  cost_.assign(static_cast<std::size_t>(shape.rows), 0);
  own_.assign(cost_.size(), 0);
  class_cost_.assign(classes(), 0);
  first_row_ = -1;
  gap_ = {};
  theta_.clear();
  columns_.clear(features_);
}

std::size_t SoftmaxTask::index_of(const Batch& batch) const {
  const std::int64_t first = batch.first_row - first_row_;
  if (first < 0 || first + batch.rows > static_cast<std::int64_t>(rows())) {
    throw input_error("there are more rows than announced");
  }
  return static_cast<std::size_t>(first);
}

void SoftmaxTask::visit_labels(const Batch& batch) {
  // A source in its own order begins with its first row; one in another order counts positions from 0.
  if (first_row_ < 0) first_row_ = batch.row_number.empty() ? batch.first_row : 0;
  const std::size_t first = index_of(batch);
  for (std::int64_t i = 0; i < batch.rows; ++i) {
    const double label = batch.label[static_cast<std::size_t>(i)], weight = batch.weight_of(i);
    if (!(label >= 0 && label < static_cast<double>(classes()))) {
      throw input_error(fmt::format("row {}: there is no class number {}", batch.number_of(i) + 1, label));
    }
    if (!(weight >= 0) || !std::isfinite(weight)) {
      throw input_error(
          fmt::format("row {}: the weight must be a number of at least 0, not {}", batch.number_of(i) + 1, weight));
    }
    const std::size_t at = first + static_cast<std::size_t>(i);
    own_[at] = static_cast<std::uint32_t>(label);
    cost_[at] = weight;
  }
}

bool SoftmaxTask::end_survey(Comm& comm) {
  columns_.synchronise(comm);
  all_rows_ = all_reduce_sum(comm, static_cast<std::int64_t>(rows()));
  if (all_rows_ == 0) throw input_error("there are no rows to train on");
  std::vector<ExactSum> sums(classes() + 1);
  const auto add_up = [&] {
    std::vector<ExactSum*> each;
    for (ExactSum& sum : sums) sum = {};
    for (std::size_t i = 0; i < rows(); ++i) {
      sums[own_[i]].add(cost_[i]);
      sums.back().add(cost_[i]);
    }
    for (ExactSum& sum : sums) each.push_back(&sum);
    exact_all_reduce(comm, each);
  };
  add_up();
  weight_ = sums.back().value();
  if (!(weight_ > 0)) throw input_error("every row has weight 0");
  lambda_ = settings_.lambda > 0 ? settings_.lambda : 1 / (settings_.c * weight_);
  const double scale = 1 / (lambda_ * weight_);
  if (!std::isfinite(scale) || !(scale > 0) || !(lambda_ > 0)) {
    throw usage_error(fmt::format("λ = {} is out of range for these rows", lambda_));
  }
  for (double& cost : cost_) cost *= scale;
  add_up();
  for (std::size_t c = 0; c < classes(); ++c) class_cost_[c] = sums[c].value();
  costs_ = sums.back().value();
  greatest_ = all_reduce_max(comm, rows() == 0 ? 0.0 : *std::max_element(cost_.begin(), cost_.end()));
  set_units();
  offer_dual(0, 0);
  return offer_zero();
}

bool SoftmaxTask::offer_zero() {
  std::vector<double> theta(weights());
  const std::vector<double> offsets = first_offsets();
  theta.insert(theta.end(), offsets.begin(), offsets.end());
  double primal = settings_.origin ? costs_ * elementary::log(static_cast<double>(classes())) : 0;
  bool one_class = !settings_.origin;
  for (std::size_t c = 0; c < classes() && !settings_.origin; ++c) {
    if (class_cost_[c] == 0 || class_cost_[c] == costs_) continue;
    primal -= class_cost_[c] * offsets[c];
    one_class = false;
  }
  offer_primal(primal, 0x1p-48 * primal * static_cast<double>(classes()), theta);
  return one_class;
}

void SoftmaxTask::set_units(ColumnUnits units) {
  fixed_.set(columns_, costs_, greatest_, units);
  ColumnSurvey ones;
  ones.clear(1);
  ones.greatest[0] = 1;
  ones.values[0] = all_rows_;
  ones_.set(ones, costs_, greatest_);
}

std::vector<double> SoftmaxTask::first_offsets() const {
  std::vector<double> offsets(classes(), 0);
  if (settings_.origin) return offsets;
  for (std::size_t c = 0; c < classes(); ++c) offsets[c] = elementary::log(class_cost_[c] / costs_);  // −∞ without rows
  return offsets;
}

void SoftmaxTask::offer_primal(double primal, double rounding, const std::vector<double>& theta) {
  if (!gap_.offer_primal(primal, rounding)) return;
  theta_ = theta;
}

void SoftmaxTask::offer_dual(double dual, double rounding) { gap_.offer_dual(dual, rounding); }

void SoftmaxTask::report(Progress& progress) const {
  progress.objective = lambda_ * gap_.primal;
  progress.gap = gap_.relative();
}

// A class without rows scores so low that it never counts.
Model SoftmaxTask::model() const {
  Model model;
  model.form = Model::Form::kClasses;
  model.calibration.kind = Calibration::Kind::kSoftmax;
  model.origin = settings_.origin;
  model.features = static_cast<std::uint32_t>(features_);
  model.theta.assign(weights(), 0);
  model.offsets.assign(classes(), 0);
  if (theta_.empty()) return model;
  double lowest = 0;
  for (std::size_t c = 0; c < classes(); ++c) {
    double score = 0;
    for (std::size_t j = 0; j < features_; ++j) {
      const double weight = model.theta[c * features_ + j] = theta_[j * classes() + c];
      score += columns_.greatest[j] * std::abs(weight);
    }
    model.offsets[c] = theta_[weights() + c];
    if (active(c)) lowest = std::min(lowest, model.offsets[c] - score);
  }
  for (double& offset : model.offsets) {
    if (std::isinf(offset)) offset = lowest - kFar;
  }
  return model;
}

TrainingStats SoftmaxTask::stats() const {
  TrainingStats stats;
  if (lambda_ > 0)
    stats.margin = {choice_.solver, choice_.because, lambda_, 1 / (lambda_ * weight_), settings_.penalty.l1_ratio};
  return stats;
}

void SoftmaxTask::require_point(std::span<const double> theta) const {
  require_state(all_finite(theta.first(weights())));
  for (std::size_t c = 0; c < classes(); ++c) {
    const double offset = theta[weights() + c];
    require_state(std::isfinite(offset) || (!active(c) && offset < 0));
  }
}

void SoftmaxTask::restore() {
  const auto not_negative = [](double x) { return x >= 0; };
  gap_.rounding = gap_.primal_rounding + gap_.dual_rounding;
  require_state(std::ranges::all_of(own_, [&](std::uint32_t c) { return c < classes(); }));
  require_state(std::ranges::all_of(cost_, not_negative) && std::ranges::all_of(class_cost_, not_negative));
  require_state(std::ranges::all_of(columns_.values, [&](std::int64_t x) { return x <= all_rows_; }));
  if (!theta_.empty()) require_point(theta_);
  set_units();
}

}  // namespace linsep

#include "learn/margin/task.h"

#include <fmt/format.h>

#include <cmath>

#include "kernel/kernel.h"
#include "linsep/error.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {

MarginTask::MarginTask(const MarginSettings& settings, const Model* start) : settings_(settings) {
  if (start == nullptr) return;
  start_theta_ = start->theta;
  start_offset_ = settings.origin ? 0 : start->offset;
}

void MarginTask::begin(const Shape& shape) {
  if (shape.rows < 0) throw usage_error("the learner margin needs data of known size, not a stream");
  features_ = shape.features;
  cost_.assign(static_cast<std::size_t>(shape.rows), 0);
  first_row_ = -1;
  gap_ = {};
  theta_.clear();
  offset_ = 0;
  start_ = {};
  separates_ = false;
  if (start_theta_.empty()) return;
  start_theta_.resize(features_);
  if (settings_.keep_start) start_.score.resize(cost_.size());
}

void MarginTask::visit_labels(const Batch& batch) {
  // A source in its own order begins with its first row; one in another order counts positions from 0.
  if (first_row_ < 0) first_row_ = batch.row_number.empty() ? batch.first_row : 0;
  const std::size_t first = index_of(batch);
  for (std::int64_t i = 0; i < batch.rows; ++i) {
    const double y = batch.label[static_cast<std::size_t>(i)];
    if (y != 1 && y != -1) {
      throw input_error(fmt::format("row {}: the label must be −1 or +1, not {}", batch.number_of(i) + 1, y));
    }
    const double weight = batch.weight_of(i);
    if (!(weight >= 0) || !std::isfinite(weight)) {
      throw input_error(
          fmt::format("row {}: the weight must be a number of at least 0, not {}", batch.number_of(i) + 1, weight));
    }
    cost_[first + static_cast<std::size_t>(i)] =
        y * weight * (y > 0 ? settings_.positive_weight : settings_.negative_weight);
  }
  if (keeps_start()) measure_start(batch);
}

void MarginTask::measure_start(const Batch& batch) {
  const std::size_t first = index_of(batch);
  for_each_row(batch, [&](const auto& row, std::int64_t i) {
    start_.score[first + static_cast<std::size_t>(i)] = dot(row, start_theta_.data());
    start_.extent.include(squared_norm(row), row.size);
  });
}

void MarginTask::sum_start(Comm& comm) {
  const double loss = total_loss(settings_.loss, cost_, start_.score, start_offset_, settings_.threads, comm);
  start_.score = {};
  start_.extent.longest = all_reduce_max(comm, start_.extent.longest);
  start_.extent.most_values = all_reduce_max(comm, start_.extent.most_values);
  start_.primal = penalty().value(start_theta_) + loss;
  const double norm = std::sqrt(squared_length(start_theta_)), costs = positive_ + negative_;
  start_.rounding = primal_rounding(start_.extent, costs, mean_slope(settings_.loss, loss / costs), norm, start_offset_,
                                    *start_.primal);
}

void MarginTask::set_lambda(double lambda, double scale) {
  if (!std::isfinite(scale) || !(scale > 0) || !(lambda > 0)) {
    throw usage_error(fmt::format("λ = {} is out of range for these rows", lambda));
  }
  lambda_ = lambda;
  for (double& cost : cost_) cost *= scale;
}

void MarginTask::resolve_costs(Comm& comm) {
  if (all_reduce_sum(comm, static_cast<std::int64_t>(cost_.size())) == 0)
    throw input_error("there are no rows to train on");
  const auto by_class = [&] {
    return exact_all_reduce_sums<2>(
        comm, cost_.size(), settings_.threads,
        [&](std::size_t i, std::array<ExactSum, 2>& sums) { sums[cost_[i] > 0 ? 0 : 1].add(std::abs(cost_[i])); });
  };
  const auto weights = by_class();
  weight_ = weights[0] + weights[1];
  if (!(weight_ > 0)) throw input_error("every row has weight 0");
  const double lambda = settings_.lambda > 0 ? settings_.lambda : 1 / (settings_.c * weight_);
  set_lambda(lambda, 1 / (lambda * weight_));
  const auto costs = by_class();
  positive_ = costs[0];
  negative_ = costs[1];
  double greatest = 0;
  for (const double cost : cost_) greatest = std::max(greatest, std::abs(cost));
  greatest_ = all_reduce_max(comm, greatest);
  if (keeps_start()) sum_start(comm);
}

// θ = 0 with its best offset.
void MarginTask::offer_zero() {
  const double offset = settings_.origin ? 0 : best_constant(settings_.loss, positive_, negative_);
  const double primal =
      positive_ * loss_value(settings_.loss, offset) + negative_ * loss_value(settings_.loss, -offset);
  offer_primal(primal, 0x1p-48 * primal, std::vector<double>(features_, 0), offset);
  offer_dual(0, 0);
}

bool MarginTask::end_labels() {
  const bool one_class = !settings_.origin && (positive_ == 0 || negative_ == 0);
  if (one_class) {
    const double far = facts_of(settings_.loss).zero_loss_margin;
    offer_primal(0, 0, std::vector<double>(features_, 0), positive_ > 0 ? far : -far);
    offer_dual(0, 0);
  } else {
    offer_zero();
    if (start_.primal) offer_primal(*start_.primal, start_.rounding, start_theta_, start_offset_);
  }
  return one_class;
}

double MarginTask::change_lambda(double lambda) {
  const double factor = lambda_ / lambda;
  set_lambda(lambda, factor);
  for (double* cost : {&positive_, &negative_, &greatest_}) *cost *= factor;
  gap_ = {};
  offer_zero();
  return factor;
}

bool MarginTask::offer_primal(double primal, double rounding, const std::vector<double>& theta, double offset) {
  if (!gap_.offer_primal(primal, rounding)) return false;
  theta_ = theta;
  offset_ = offset;
  return true;
}

void MarginTask::offer_dual(double dual, double rounding) { gap_.offer_dual(dual, rounding); }

void MarginTask::report(Progress& progress) const {
  progress.objective = lambda_ * gap_.primal;
  progress.gap = gap_.relative();
}

Model MarginTask::model() const {
  Model model;
  model.origin = settings_.origin;
  model.theta = theta_.empty() ? std::vector<double>(features_, 0) : theta_;
  model.offset = offset_;
  return model;
}

TrainingStats MarginTask::stats() const {
  TrainingStats stats;
  if (lambda_ > 0) stats.margin = {"", "", lambda_, 1 / (lambda_ * weight_), settings_.penalty.l1_ratio};
  if (lambda_ > 0 && start_.primal) stats.margin->start_objective = lambda_ * *start_.primal;
  return stats;
}

void MarginTask::require_costs() const {
  double positive = 0, negative = 0, greatest = 0;  // of this worker's rows
  for (const double cost : cost_) {
    (cost > 0 ? positive : negative) += std::abs(cost);
    greatest = std::max(greatest, std::abs(cost));
  }
  constexpr double kRounding = 1 + 1e-9;
  require_state(positive <= positive_ * kRounding && negative <= negative_ * kRounding && greatest <= greatest_,
                "the rows' costs in it don't add up");
}

void SurveyedTask::begin(const Shape& shape) {
  MarginTask::begin(shape);
  columns_.clear(features());
}

bool SurveyedTask::end_survey(Comm& comm) {
  resolve_costs(comm);
  columns_.synchronise(comm);
  set_units();
  return end_labels();
}

double SurveyedTask::change_lambda(double lambda) {
  const double factor = MarginTask::change_lambda(lambda);
  set_units();
  return factor;
}

}  // namespace linsep

#include "linsep/tools/distances.h"

#include <algorithm>
#include <cmath>

#include "core/elementary.h"
#include "learn/margin/gap.h"
#include "learn/margin/solvers.h"
#include "linsep/error.h"
#include "linsep/learner_info.h"
#include "numeric/compensated_sum.h"

namespace linsep {
namespace {

/// Sums the loss while rows come.
class ObjectiveSum {
 public:
  explicit ObjectiveSum(const Model& model)
      : options_(complete_options(learner_info(model.learner).table, model.options)), hard_(is_hard_margin(options_)) {}

  void add(double y, double margin, double weight) {
    if (hard_) return;
    weight *= get_number(options_, y > 0 ? "positive-weight" : "negative-weight");
    weight_.add(weight);
    loss_.add(weight * loss_value(margin_loss(options_), margin));
  }

  MarginObjective result(std::span<const double> theta, double norm) const {
    MarginObjective objective;
    objective.hard = hard_;
    if (hard_) {
      objective.value = norm * norm / 2;
      return objective;
    }
    const double weight = weight_.value();
    objective.loss = get_text(options_, "loss");
    const double lambda = get_number(options_, "lambda");
    objective.lambda = lambda > 0 ? lambda : 1 / (get_number(options_, "C") * weight);
    objective.mean_loss = loss_.value() / weight;
    const Penalty penalty = margin_penalty(options_);
    objective.l1_ratio = penalty.l1_ratio;
    objective.value = objective.mean_loss +
                      (penalty.has_l1() ? objective.lambda * penalty.value(theta) : objective.lambda / 2 * norm * norm);
    return objective;
  }

 private:
  Options options_;
  bool hard_;
  Sum weight_, loss_;
};

/// NaN is below every number.
bool below(double a, double b) { return std::isnan(a) ? !std::isnan(b) : a < b; }

}  // namespace

Distances measure_distances(Source& source, const Model& model, double tolerance, const Observer& observe) {
  if (model.form != Model::Form::kLinear || model.regression) {
    throw usage_error("distances from a boundary need the model of a linear classifier");
  }
  Distances result;
  result.norm = length_of(model.theta);
  std::optional<ObjectiveSum> objective;
  const LearnerInfo* learner = find_learner(model.learner);
  if (learner != nullptr && learner->objective) objective.emplace(model);
  Progress progress;
  progress.pass = 1;
  progress.phase = Phase::kMeasuring;
  progress.passes_in_all = 1;
  progress.rows_in_all = source.shape().rows;
  std::vector<double> z;
  source.rewind(0);
  while (const auto batch = source.next()) {
    z.resize(static_cast<std::size_t>(batch->rows));
    score(model, *batch, z);
    for (std::int64_t i = 0; i < batch->rows; ++i) {
      const double y = batch->label[static_cast<std::size_t>(i)], margin = y * z[static_cast<std::size_t>(i)];
      const auto row = static_cast<std::int64_t>(result.margin.size());
      result.margin.push_back(margin);
      if (result.least_row < 0 || below(margin, result.margin[static_cast<std::size_t>(result.least_row)])) {
        result.least_row = row;
      }
      if (!(margin > 0)) ++result.mistakes;  // NaN is a mistake, and is on neither side
      if (!(margin >= 1 - tolerance)) ++result.inside;
      if (!(margin > 1 + tolerance)) result.support.push_back(row);
      if (objective) objective->add(y, margin, batch->weight_of(i));
    }
    progress.rows += batch->rows;
    if (observe) observe(progress);
  }
  if (objective && !result.margin.empty()) result.objective = objective->result(model.theta, result.norm);
  return result;
}

std::vector<Bin> histogram(std::span<const double> values, std::size_t most) {
  double low = INFINITY, high = -INFINITY;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (!(low <= high)) return {};
  // The smallest of 1, 2, 5 times a power of ten that covers the range with few enough bins. It isn't so small that
  // both edges of a bin would look the same, or that a value isn't a whole number of widths within the range of
  // integers.
  const auto parts = static_cast<double>(std::max<std::size_t>(most, 2) - 1);
  const double size = std::max(std::fabs(low), std::fabs(high));
  const double wanted = std::clamp(std::max(high / parts - low / parts, 1e-5 * size), 1e-300, 5e307);
  const double power = elementary::pow(10, std::floor(elementary::log10(wanted)));
  double width = 10 * power;
  for (const double step : {5.0, 2.0, 1.0}) {
    if (step * power >= wanted) width = step * power;
  }
  const double first = std::floor(low / width);
  const auto count = static_cast<std::size_t>(std::max(1.0, std::ceil(high / width) - first));
  std::vector<Bin> bins(count);
  for (std::size_t b = 0; b < count; ++b) {
    bins[b].low = (first + static_cast<double>(b)) * width;
    bins[b].high = (first + static_cast<double>(b) + 1) * width;
  }
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    const double at = std::floor(value / width) - first;
    ++bins[static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(count - 1)))].rows;
  }
  return bins;
}

}  // namespace linsep

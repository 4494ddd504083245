#include "learn/margin/softmax_direction.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernel/dense_kernels.h"
#include "kernel/kernel.h"

namespace linsep {
namespace {

double product_of(const std::vector<double>& a, const std::vector<double>& b) {
  return dot(DenseRow<double>{a.data(), a.size()}, b.data());
}
void add_scaled(double factor, const std::vector<double>& from, std::vector<double>& to) {
  axpy(factor, DenseRow<double>{from.data(), from.size()}, to.data());
}

}  // namespace

void SoftmaxDirection::precondition(std::span<double> x) {
  std::vector<int> level;
  for (const double curvature : curvature_) level.push_back(GramPreconditioner::level_of(curvature));
  gram_->keep_levels(level);
  gram_->solve(level, x.data(), task_.classes(), task_.threads());
  for (std::size_t c = 0; c < task_.classes(); ++c) x[task_.weights() + c] /= std::max(1.0, curvature_[c]);
}

// NewtonDirection adds q to every product and 1 to every square: of offsets, which aren't penalized, they are taken
// away beforehand.
void SoftmaxDirection::begin(const RowAnswer::Columns& curved, std::vector<double> gradient, double accuracy) {
  const std::size_t weights = task_.weights(), k = task_.classes();
  const std::vector<double>& all = curved.ones;
  std::vector<double> square(weights + k);
  for (std::size_t c = 0; c < k; ++c) square[weights + c] = all[c] - 1;
  mean_.assign(weights, 0);
  for (std::size_t j = 0; j < weights; ++j) {
    const std::size_t c = j % k;
    if (has_offset(c) && all[c] > 0) mean_[j] = curved.sum[j] / all[c];
    square[j] = std::max(0.0, curved.squares[j] - mean_[j] * curved.sum[j]);
  }
  to_centred(gradient);
  direction_.begin(gradient, std::vector<double>(gradient.size()), square, 0, accuracy);
  set_direction(direction_.direction());
}

void SoftmaxDirection::begin_quasi(const RowAnswer::Columns& curved, const std::vector<double>& w,
                                   const std::vector<double>& gradient) {
  const std::size_t weights = task_.weights(), k = task_.classes();
  curvature_ = curved.ones;
  const bool known = wants_means();
  if (known || mean_.empty()) {
    mean_.assign(weights, 0);
    for (std::size_t j = 0; j < weights; ++j) {
      if (!has_offset(j % k)) continue;
      const double all = known ? curvature_[j % k] : 0;
      mean_[j] = all > 0 ? curved.sum[j] / all : gram_->mean()[j / k];
    }
  }
  if (known) next_means_ += next_means_ / 2 + 1;
  ++steps_;
  std::vector<double> point = w;  // a class that takes no part stays as it is
  for (std::size_t c = 0; c < k; ++c) {
    if (!has_offset(c)) point[weights + c] = 0;
  }
  add_difference(std::move(point), gradient);
  const std::span<const Difference> history = this->history();
  std::vector<double> x = gradient, share(history.size());
  for (std::size_t h = history.size(); h-- > 0;) {
    share[h] = history[h].inverse * product_of(history[h].point, x);
    add_scaled(-share[h], history[h].gradient, x);
  }
  to_centred(x);
  precondition(x);
  set_direction(x);
  for (std::size_t h = 0; h < history.size(); ++h) {
    const double other = history[h].inverse * product_of(history[h].gradient, q_);
    add_scaled(share[h] - other, history[h].point, q_);
  }
  // Short, so that blocks are scored at full speed (PackedWeights).
  for (double& number : q_) number = -shortened(number);
}

/// Takes note of a point and its gradient.
void SoftmaxDirection::add_difference(std::vector<double> point, const std::vector<double>& gradient) {
  if (!last_point_.empty()) {
    Difference difference{point, gradient, 0};
    add_scaled(-1, last_point_, difference.point);
    add_scaled(-1, last_gradient_, difference.gradient);
    const double product = product_of(difference.point, difference.gradient);
    if (product > 0) {
      difference.inverse = 1 / product;
      if (differences_ == kMostDifferences) {
        std::rotate(history_.begin(), history_.begin() + 1, history_.end());
        --differences_;
      }
      history_[static_cast<std::size_t>(differences_++)] = std::move(difference);
    }
  }
  last_point_ = std::move(point);
  last_gradient_ = gradient;
}

void SoftmaxDirection::set_direction(const std::vector<double>& centred) {
  const std::size_t weights = task_.weights(), k = task_.classes();
  q_ = centred;
  for (std::size_t j = 0; j < weights; ++j) q_[weights + j % k] -= mean_[j] * q_[j];
}

void SoftmaxDirection::to_centred(std::vector<double>& gradient) const {
  const std::size_t weights = task_.weights(), k = task_.classes();
  for (std::size_t j = 0; j < weights; ++j) gradient[j] -= mean_[j] * gradient[weights + j % k];
}

double SoftmaxDirection::farthest() const {
  const std::size_t k = task_.classes();
  std::vector<double> by_column(k), squares(k);
  for (std::size_t j = 0; j < task_.weights(); ++j) {
    by_column[j % k] += task_.columns().greatest[j / k] * std::abs(q_[j]);
    squares[j % k] += q_[j] * q_[j];
  }
  double most = 0;
  for (std::size_t c = 0; c < k; ++c) {
    const double score = std::min(by_column[c], std::sqrt(squares[c]) * task_.extent().longest);
    most = std::max(most, 1.01 * score + std::abs(q_[task_.weights() + c]));
  }
  return most;
}

bool SoftmaxDirection::advance(std::vector<double> product) {
  const std::size_t weights = task_.weights();
  for (std::size_t c = 0; c < task_.classes(); ++c) {
    if (!has_offset(c)) product[weights + c] = 0;
  }
  to_centred(product);
  for (std::size_t at = weights; at < product.size(); ++at) product[at] -= direction_.direction()[at];
  const bool more = direction_.next_direction(direction_.advance(product));
  set_direction(more ? direction_.direction() : direction_.step());
  return more;
}

void SoftmaxDirection::require_history() const {
  require_state(last_gradient_.size() == last_point_.size());
  const std::size_t size = task_.weights() + task_.classes();
  for (std::size_t h = 0; h < static_cast<std::size_t>(differences_); ++h) {
    require_state(history_[h].point.size() == size && history_[h].gradient.size() == size);
  }
}

void SoftmaxDirection::require_begun() const {
  const std::size_t size = task_.weights() + task_.classes();
  require_state(q_.size() == size);
  require_state(gram_ != nullptr || (mean_.size() == task_.weights() && direction_.is_of(size)));
}

}  // namespace linsep

#include "learn/margin/newton_direction.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernel/dense_kernels.h"
#include "numeric/compensated_sum.h"

namespace linsep {
namespace {

constexpr int kMostProducts = 300;

}  // namespace

void NewtonDirection::begin(std::span<const double> gradient, std::vector<double> curved_column,
                            std::span<const double> square, double curved, double accuracy) {
  const std::size_t d = gradient.size();
  curved_ = curved;
  curved_column_ = std::move(curved_column);
  scale_.resize(d);
  step_.assign(d, 0);
  residual_.resize(d);
  q_.resize(d);
  for (std::size_t j = 0; j < d; ++j) residual_[j] = -gradient[j];
  precondition_residual();
  for (std::size_t j = 0; j < d; ++j) {
    const double taken = curved_ > 0 ? curved_column_[j] * curved_column_[j] / curved_ : 0;
    scale_[j] = std::max(1.0, 1 + square[j] - taken);
    q_[j] = precondition_ ? shortened(preconditioned_[j]) : residual_[j] / scale_[j];
  }
  rz_ = inner_product(residual_, q_);
  rz_stop_ = accuracy * accuracy * rz_;
  products_ = 0;
  set_shift();
}

void NewtonDirection::precondition_residual() {
  if (!precondition_) return;
  preconditioned_ = residual_;
  precondition_(preconditioned_);
}

void NewtonDirection::set_shift() { shift_ = mean_score(q_); }

double NewtonDirection::mean_score(std::span<const double> vector) const {
  if (!(curved_ > 0)) return 0;
  return inner_product(curved_column_, vector) / curved_;
}

double NewtonDirection::advance(std::span<const double> product) {
  const double* q = q_.data();
  const double qhq =
      sum_between(0, q_.size(), [q, product](std::size_t j) { return q[j] * (q[j] + product[j]); }).value();
  const double length = qhq > 0 ? rz_ / qhq : 0;
  for (std::size_t j = 0; j < q_.size(); ++j) {
    step_[j] += length * q_[j];
    residual_[j] -= length * (q_[j] + product[j]);
  }
  precondition_residual();
  rz_before_ = rz_;
  const double *residual = residual_.data(), *scale = scale_.data();
  rz_ = precondition_
            ? inner_product(residual_, preconditioned_)
            : sum_between(0, q_.size(), [=](std::size_t j) { return residual[j] * residual[j] / scale[j]; }).value();
  return length;
}

bool NewtonDirection::next_direction(double length) {
  const double ratio = rz_ / rz_before_;
  if (++products_ >= kMostProducts || !(rz_ > rz_stop_) || !(length > 0)) return false;
  for (std::size_t j = 0; j < q_.size(); ++j) {
    q_[j] = (precondition_ ? preconditioned_[j] : residual_[j] / scale_[j]) + ratio * q_[j];
    if (precondition_) q_[j] = shortened(q_[j]);
  }
  set_shift();
  return true;
}

bool NewtonDirection::is_of(std::size_t columns) const {
  bool good = std::isfinite(rz_) && std::isfinite(rz_stop_) && std::isfinite(curved_);
  for (const auto* v : {&scale_, &step_, &residual_, &q_, &curved_column_}) {
    good = good && v->size() == columns && std::ranges::all_of(*v, [](double x) { return std::isfinite(x); });
  }
  return good;
}

void NewtonDirection::restore() {
  require_state(std::ranges::all_of(scale_, [](double scale) { return scale >= 1; }), "a scale in it is below 1");
  set_shift();
}

}  // namespace linsep

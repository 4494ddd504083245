#include "numeric/corral.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "kernel/kernel.h"
#include "numeric/compensated_sum.h"

namespace linsep {
namespace {

/// A new column whose part outside the span of the others is below this share of it counts as dependent.
constexpr double kDependent = 1e-13;

double dot_of(const double* a, const double* b, std::size_t size) { return dot(DenseRow<double>{a, size}, b); }

}  // namespace

void CorralFactor::clear() {
  q_.clear();
  r_.clear();
}

// Gram and Schmidt twice: orthogonal to working precision.
bool CorralFactor::push(std::span<const double> point, std::size_t hull) {
  const std::size_t k = columns();
  std::vector<double> rest(point.begin(), point.end());
  rest.resize(height_, 0.0);
  rest[point.size() + hull] = 1.0;
  const double before = std::sqrt(dot_of(rest.data(), rest.data(), height_));
  std::vector<double> column(k + 1, 0.0);
  for (int round = 0; round < 2; ++round) {
    for (std::size_t c = 0; c < k; ++c) {
      const double share = dot_of(q(c), rest.data(), height_);
      column[c] += share;
      axpy(-share, DenseRow<double>{q(c), height_}, rest.data());
    }
  }
  const double after = std::sqrt(dot_of(rest.data(), rest.data(), height_));
  if (!(after > kDependent * before)) return false;
  column[k] = after;
  for (double& value : rest) value /= after;
  q_.insert(q_.end(), rest.begin(), rest.end());
  r_.push_back(std::move(column));
  return true;
}

// Without its column R has one entry below the diagonal in each later column; a Givens rotation of two rows of R, and
// of the same two columns of Q, clears it.
void CorralFactor::remove(std::size_t c) {
  r_.erase(r_.begin() + static_cast<std::ptrdiff_t>(c));
  const std::size_t k = r_.size();
  for (std::size_t i = c; i < k; ++i) {
    const double a = r_[i][i];
    const double b = r_[i][i + 1];
    const double length = length_of(std::array{a, b});
    const double cosine = length > 0 ? a / length : 1;
    const double sine = length > 0 ? b / length : 0;
    r_[i][i] = length;
    r_[i].pop_back();
    for (std::size_t j = i + 1; j < k; ++j) {
      const double u = r_[j][i];
      const double v = r_[j][i + 1];
      r_[j][i] = cosine * u + sine * v;
      r_[j][i + 1] = cosine * v - sine * u;
    }
    double* left = q(i);
    double* right = q(i + 1);
    for (std::size_t t = 0; t < height_; ++t) {
      const double u = left[t];
      const double v = right[t];
      left[t] = cosine * u + sine * v;
      right[t] = cosine * v - sine * u;
    }
  }
  q_.resize(k * height_);
}

void CorralFactor::solve(std::vector<double>& x) const {
  for (std::size_t c = columns(); c-- > 0;) {
    x[c] /= r_[c][c];
    for (std::size_t t = 0; t < c; ++t) x[t] -= r_[c][t] * x[c];
  }
}

void CorralFactor::affine_minimum(std::vector<double>& x) const {
  const std::size_t k = columns();
  x.resize(k);
  double a = 0, b = 0,
         d = 0;  // products of the rows q_0 (the last but one) and q_1; of the last where there is one hull
  for (std::size_t c = 0; c < k; ++c) {
    const double last = q(c)[height_ - 1];
    x[c] = last;
    d += last * last;
    if (hulls_ == 1) continue;
    const double other = q(c)[height_ - 2];
    a += other * other;
    b += other * last;
  }
  if (hulls_ == 2) {
    const double determinant = a * d - b * b;
    const double mu0 = (d - b) / determinant, mu1 = (a - b) / determinant;
    for (std::size_t c = 0; c < k; ++c) x[c] = mu0 * q(c)[height_ - 2] + mu1 * x[c];
  }
  solve(x);
  if (hulls_ == 2) return;  // the caller knows which weight belongs to which hull, and divides by their sums
  double sum = 0;
  for (double& value : x) {
    value /= d;
    sum += value;
  }
  for (double& value : x) value /= sum;
}

// The change is A·s with AᵀA·s = −score but for a number in each hull, and with sums of 0, which in the space of
// R·s = y means that y has no part along q_0 and q_1. So y = −R⁻ᵀscore off these, and the change is Q·y.
void CorralFactor::level(std::vector<double> score, std::span<double> v) const {
  const std::size_t k = columns();
  for (std::size_t c = 0; c < k; ++c) {
    score[c] = (-score[c] - dot_of(r_[c].data(), score.data(), c)) / r_[c][c];
  }
  std::vector<double> axis[2];
  for (std::size_t t = 0; t < hulls_; ++t) {
    for (std::size_t c = 0; c < k; ++c) axis[t].push_back(q(c)[height_ - 1 - t]);
    if (t == 1) axpy(-dot_of(axis[0].data(), axis[1].data(), k), DenseRow<double>{axis[0].data(), k}, axis[1].data());
    const double length = std::sqrt(dot_of(axis[t].data(), axis[t].data(), k));
    for (double& value : axis[t]) value /= length;
    axpy(-dot_of(axis[t].data(), score.data(), k), DenseRow<double>{axis[t].data(), k}, score.data());
  }
  for (std::size_t c = 0; c < k; ++c) axpy(score[c], DenseRow<double>{q(c), v.size()}, v.data());
}

Reach reach_towards(std::span<const double> target, std::span<const double> lambda, double no_weight) {
  Reach reach{1, target.size()};
  for (std::size_t c = 0; c < target.size(); ++c) {
    if (target[c] > no_weight) continue;
    const double fall = lambda[c] - target[c];
    const double step = fall > 0 ? std::min(1.0, lambda[c] / fall) : 0;
    if (reach.blocking == target.size() || step < reach.step) reach = {step, c};
  }
  return reach;
}

bool Corral::contains(std::size_t index) const {
  return std::find(index_.begin(), index_.end(), index) != index_.end();
}

bool Corral::push(std::size_t index, std::span<const double> point, std::size_t hull, double weight) {
  if (!factor_.push(point, hull)) return false;
  index_.push_back(index);
  hull_.push_back(static_cast<std::uint8_t>(hull));
  weight_.push_back(weight);
  return true;
}

void Corral::drop(std::size_t c) {
  const auto at = static_cast<std::ptrdiff_t>(c);
  factor_.remove(c);
  index_.erase(index_.begin() + at);
  hull_.erase(hull_.begin() + at);
  weight_.erase(weight_.begin() + at);
}

void Corral::minor_cycles() {
  std::vector<double> x;
  while (true) {
    factor_.affine_minimum(x);
    if (std::all_of(x.begin(), x.end(), [&](double value) { return value > no_weight_; })) {
      weight_ = x;
      return;
    }
    const auto [step, blocking] = reach_towards(x, weight_, no_weight_);
    std::size_t left[2] = {0, 0};
    for (std::size_t c = 0; c < x.size(); ++c) {
      weight_[c] += step * (x[c] - weight_[c]);
      ++left[hull_[c]];
    }
    weight_[blocking] = 0;
    for (std::size_t c = x.size(); c-- > 0;) {
      if (weight_[c] > no_weight_ * 1e-2 || left[hull_[c]] == 1) continue;
      --left[hull_[c]];
      drop(c);
    }
    if (size() == x.size()) return;  // a hull's only point has all its weight: there is nothing to drop
  }
}

void Corral::normalize() {
  double sum[2] = {0, 0};
  for (std::size_t c = 0; c < size(); ++c) sum[hull_[c]] += weight_[c];
  for (std::size_t c = 0; c < size(); ++c) weight_[c] /= sum[hull_[c]];
}

void Corral::clear() {
  factor_.clear();
  index_.clear();
  hull_.clear();
  weight_.clear();
}

void Corral::set(std::vector<std::size_t> index, std::vector<double> weight) {
  clear();
  index_ = std::move(index);
  weight_ = std::move(weight);
}

}  // namespace linsep

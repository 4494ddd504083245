#include "learn/min_norm_factor.h"

#include <cmath>

#include "kernel/kernel.h"

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
bool CorralFactor::push(std::span<const double> point) {
  const std::size_t k = columns();
  std::vector<double> rest(point.begin(), point.end());
  rest.push_back(1.0);
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
    const double length = std::hypot(a, b);
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

void CorralFactor::affine_minimum(std::vector<double>& x) const {
  const std::size_t k = columns();
  x.resize(k);
  double squared = 0;
  for (std::size_t c = 0; c < k; ++c) {
    x[c] = q(c)[height_ - 1];
    squared += x[c] * x[c];
  }
  for (std::size_t c = k; c-- > 0;) {
    x[c] /= r_[c][c];
    for (std::size_t t = 0; t < c; ++t) x[t] -= r_[c][t] * x[c];
  }
  double sum = 0;
  for (double& value : x) {
    value /= squared;
    sum += value;
  }
  for (double& value : x) value /= sum;
}

}  // namespace linsep

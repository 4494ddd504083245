#include "learn/margin/simplex_quadratic.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernel/kernel.h"
#include "numeric/symmetric_matrix.h"

namespace linsep {
namespace {

constexpr int kMostSteps = 80;
constexpr int kMostIdle = 8;  // steps that come no nearer
constexpr double kLeastExtra = 1e-16, kMostExtra = 1e-10;
constexpr double kOfTheWay = 0.995;  // to the boundary

using Vector = std::vector<double>;

Vector slope(std::span<const double> gram, std::span<const double> beta, std::span<const double> lambda) {
  const std::size_t size = beta.size();
  Vector gradient(size);
  for (std::size_t a = 0; a < size; ++a) {
    gradient[a] = beta[a] - dot(DenseRow<double>{gram.data() + a * size, size}, lambda.data());
  }
  return gradient;
}

double sum(std::span<const double> v) { return std::accumulate(v.begin(), v.end(), 0.0); }
double product(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

/// How far one can go from x along d and stay above 0.
double room(const Vector& x, const Vector& d) {
  double step = 1;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (d[i] < 0) step = std::min(step, -kOfTheWay * x[i] / d[i]);
  }
  return step;
}

/// λ, the multipliers s ≥ 0 of λ ≥ 0 and ν of Σλ = 1: Gλ − β + ν − s = 0 and λ_i·s_i = 0 at the solution.
class InteriorPath {
 public:
  InteriorPath(std::span<const double> gram, std::span<const double> beta)
      : gram_(gram), beta_(beta), size_(beta.size()), lambda_(size_, 1.0 / static_cast<double>(size_)) {
    const Vector gradient = slope(gram_, beta_, lambda_);
    const auto [low, high] = std::ranges::minmax(gradient);
    nu_ = high + std::max(high - low, std::abs(high) * 1e-6) * 0.1;
    for (const double g : gradient) s_.push_back(nu_ - g);
    matrix_.resize(size_);
  }

  const Vector& lambda() const { return lambda_; }

  /// False: the matrix can't be factored any more.
  bool step() {
    const double n = static_cast<double>(size_), mu = product(lambda_, s_) / n;
    residual_ = slope(gram_, beta_, lambda_);
    for (std::size_t i = 0; i < size_; ++i) residual_[i] = nu_ - residual_[i] - s_[i];
    if (!factor()) return false;
    ones_.assign(size_, 1);
    matrix_.solve(ones_);
    direction(Vector(size_, 0));
    const double primal = room(lambda_, dlambda_), dual = room(s_, ds_);
    double ahead = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      ahead += (lambda_[i] + primal * dlambda_[i]) * (s_[i] + dual * ds_[i]);
    }
    const double ratio = mu > 0 ? ahead / n / mu : 0, centre = ratio * ratio * ratio * mu;
    Vector aim(size_);
    for (std::size_t i = 0; i < size_; ++i) aim[i] = centre - dlambda_[i] * ds_[i];
    direction(aim);
    move();
    return std::ranges::all_of(lambda_, [](double x) { return x > 0 && std::isfinite(x); });
  }

 private:
  /// G + S/Λ, made a little heavier on its diagonal where rounding has left it indefinite: steps are shorter then.
  bool factor() {
    for (double extra = 0; extra <= kMostExtra; extra = std::max(10 * extra, kLeastExtra)) {
      for (std::size_t a = 0; a < size_; ++a) {
        for (std::size_t b = a; b < size_; ++b) matrix_.at(a, b) = gram_[a * size_ + b];
        matrix_.at(a, a) += s_[a] / lambda_[a] + extra * gram_[a * size_ + a];
      }
      if (matrix_.factor(1)) return true;
    }
    return false;
  }

  /// Towards λ_i·s_i = aim_i, to first order.
  void direction(const Vector& aim) {
    dlambda_.resize(size_);
    ds_.resize(size_);
    for (std::size_t i = 0; i < size_; ++i) dlambda_[i] = -residual_[i] + aim[i] / lambda_[i] - s_[i];
    matrix_.solve(dlambda_);
    dnu_ = (sum(dlambda_) + sum(lambda_) - 1) / sum(ones_);
    for (std::size_t i = 0; i < size_; ++i) {
      dlambda_[i] -= dnu_ * ones_[i];
      ds_[i] = (aim[i] - s_[i] * dlambda_[i]) / lambda_[i] - s_[i];
    }
  }

  void move() {
    const double primal = room(lambda_, dlambda_), dual = room(s_, ds_);
    for (std::size_t i = 0; i < size_; ++i) {
      lambda_[i] += primal * dlambda_[i];
      s_[i] += dual * ds_[i];
    }
    nu_ += dual * dnu_;
    const double total = sum(lambda_);
    for (double& x : lambda_) x /= total;
  }

  std::span<const double> gram_, beta_;
  std::size_t size_;
  Vector lambda_, s_;
  double nu_ = 0;
  SymmetricMatrix matrix_;
  Vector residual_, ones_, dlambda_, ds_;
  double dnu_ = 0;
};

/// Sets to 0 what can be without leaving more than `tolerance`: as much as one of some thresholds allows.
void clear_small(std::span<const double> gram, std::span<const double> beta, double tolerance, Vector& lambda) {
  const double greatest = *std::ranges::max_element(lambda);
  for (double threshold = 1e-3; threshold > 1e-16; threshold /= 10) {
    Vector fewer = lambda;
    for (double& x : fewer) x = x < threshold * greatest ? 0 : x;
    const double total = sum(fewer);
    for (double& x : fewer) x /= total;
    if (!(left_on_simplex(gram, beta, fewer) <= tolerance)) continue;
    lambda = fewer;
    return;
  }
}

}  // namespace

double left_on_simplex(std::span<const double> gram, std::span<const double> beta, std::span<const double> lambda) {
  const Vector gradient = slope(gram, beta, lambda);
  double mean = 0;
  for (std::size_t i = 0; i < gradient.size(); ++i) mean += lambda[i] * gradient[i];
  return *std::ranges::max_element(gradient) - mean;
}

bool solve_on_simplex(std::span<const double> gram, std::span<const double> beta, double tolerance, Vector& lambda) {
  InteriorPath path(gram, beta);
  double best = left_on_simplex(gram, beta, lambda), least = std::numeric_limits<double>::infinity();
  for (int step = 0, idle = 0; step < kMostSteps && idle < kMostIdle && !(best <= tolerance); ++step, ++idle) {
    if (!path.step()) break;
    const double left = left_on_simplex(gram, beta, path.lambda());
    if (left < 0.99 * least) idle = 0;
    least = std::min(least, left);
    if (!(left < best)) continue;
    best = left;
    lambda = path.lambda();
  }
  clear_small(gram, beta, std::max(best, tolerance), lambda);
  return best <= tolerance;
}

}  // namespace linsep

#include "learn/margin/plane_bundle.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "kernel/kernel.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/symmetric_matrix.h"

namespace linsep {
namespace {

constexpr int kMostSteps = 80;
constexpr int kMostIdle = 8;  // steps that come no nearer
constexpr double kLeastExtra = 1e-16, kMostExtra = 1e-10;
constexpr double kStepFraction = 0.995;  // to the boundary

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
    if (d[i] < 0) step = std::min(step, -kStepFraction * x[i] / d[i]);
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

  /// False: the matrix can no longer be factored.
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

namespace {

constexpr std::size_t kMostPlanes = 60;
constexpr std::size_t kBlock = 1024;           // features; dot products are exact sums of those of blocks
constexpr std::int64_t kStepsPerPlane = 1000;  // beyond them, all multipliers are solved for at once

}  // namespace

void PlaneBundle::begin(std::size_t features) {
  features_ = features;
  planes_.clear();
  gram_.clear();
  round_ = 0;
  exhausted_ = false;
}

std::pair<std::size_t, std::size_t> PlaneBundle::share(const Comm& comm) const {
  const std::size_t blocks = (features_ + kBlock - 1) / kBlock;
  const auto rank = static_cast<std::size_t>(comm.rank()), size = static_cast<std::size_t>(comm.size());
  const auto cut = [&](std::size_t k) { return std::min(features_, blocks * k / size * kBlock); };
  return {cut(rank), cut(rank + 1)};
}

void PlaneBundle::add(std::span<const double> g, double beta, double imbalance, Comm& comm) {
  ++round_;
  const auto [first, end] = share(comm);
  require_state(planes_.empty() || planes_.front().g.size() == end - first);  // it may have been loaded
  Plane plane;
  plane.g.assign(g.begin() + static_cast<std::ptrdiff_t>(first), g.begin() + static_cast<std::ptrdiff_t>(end));
  plane.beta = beta;
  plane.imbalance = imbalance;
  plane.active = round_;
  planes_.push_back(std::move(plane));
  const std::size_t count = planes_.size();
  std::vector<ExactSum> dots(count);
  const std::vector<double>& mine = planes_.back().g;
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t j = 0; j < mine.size(); j += kBlock) {
      const DenseRow<double> block{planes_[k].g.data() + j, std::min(kBlock, mine.size() - j)};
      dots[k].add(dot(block, mine.data() + j));
    }
  }
  std::vector<ExactSum*> each(count);
  for (std::size_t k = 0; k < count; ++k) each[k] = &dots[k];
  exact_all_reduce(comm, each);
  std::vector<double> gram(count * count);
  for (std::size_t a = 0; a + 1 < count; ++a) {
    for (std::size_t b = 0; b + 1 < count; ++b) gram[a * count + b] = gram_[a * (count - 1) + b];
    gram[a * count + count - 1] = gram[(count - 1) * count + a] = dots[a].value();
  }
  gram.back() = dots.back().value();
  gram_ = std::move(gram);
}

// Two multipliers at a time: mass goes from the one that deserves it least to the one that deserves it most. A plane
// that is 0 everywhere (no loss is below it) holds what is left of 1.
bool PlaneBundle::move_mass(double tolerance, std::vector<double>& lambda) const {
  const std::size_t count = planes_.size();
  std::vector<double> gradient(count + 1, 0);
  for (std::size_t a = 0; a < count; ++a) {
    gradient[a] = planes_[a].beta;
    for (std::size_t b = 0; b < count; ++b) gradient[a] -= gram(a, b) * lambda[b];
  }
  const auto product = [&](std::size_t a, std::size_t b) { return a < count && b < count ? gram(a, b) : 0.0; };
  const std::int64_t most = kStepsPerPlane * static_cast<std::int64_t>(count + 1);
  for (std::int64_t step = 0; step < most; ++step) {
    std::size_t best = 0, worst = count + 1;
    for (std::size_t k = 0; k <= count; ++k) {
      if (gradient[k] > gradient[best]) best = k;
      if (lambda[k] > 0 && (worst > count || gradient[k] < gradient[worst])) worst = k;
    }
    const double slope = gradient[best] - gradient[worst];
    if (best == worst || !(slope > tolerance)) return true;  // below 0 it may be where a damaged state says so
    const double curvature = product(best, best) + product(worst, worst) - 2 * product(best, worst);
    const bool all = !(curvature > 0) || slope >= curvature * lambda[worst];
    const double move = all ? lambda[worst] : slope / curvature;
    lambda[best] += move;
    lambda[worst] = all ? 0 : lambda[worst] - move;
    for (std::size_t k = 0; k < count; ++k) gradient[k] -= move * (product(k, best) - product(k, worst));
  }
  return false;
}

bool PlaneBundle::solve_at_once(double tolerance, std::vector<double>& lambda) const {
  const std::size_t count = planes_.size(), size = count + 1;
  std::vector<double> gram_and_zero(size * size, 0), beta(size, 0);
  for (std::size_t a = 0; a < count; ++a) {
    beta[a] = planes_[a].beta;
    for (std::size_t b = 0; b < count; ++b) gram_and_zero[a * size + b] = gram(a, b);
  }
  double total = 0;
  for (const double x : lambda) total += x;
  for (double& x : lambda) x /= total;
  return solve_on_simplex(gram_and_zero, beta, tolerance, lambda);
}

bool PlaneBundle::solve(double tolerance) {
  const std::size_t count = planes_.size();
  std::vector<double> lambda(count + 1, 0);
  double left = 1;
  for (std::size_t k = 0; k < count; ++k) left -= lambda[k] = planes_[k].lambda;
  lambda[count] = std::max(left, 0.0);
  bool solved = !exhausted_ && move_mass(tolerance, lambda);
  if (!solved) {
    exhausted_ = true;
    solved = solve_at_once(tolerance, lambda);
  }
  double total = 0;
  for (std::size_t k = 0; k < count; ++k) total += lambda[k];
  const double within = total > 1 ? (1 - 0x1p-45) / total : 1;  // steps round
  for (std::size_t k = 0; k < count; ++k) {
    planes_[k].lambda = lambda[k] * within;
    if (lambda[k] > 0) planes_[k].active = round_;
  }
  while (planes_.size() > kMostPlanes) {
    std::size_t idle = 0;
    for (std::size_t k = 1; k + 1 < planes_.size(); ++k) {
      if (planes_[k].active < planes_[idle].active) idle = k;
    }
    if (planes_[idle].lambda > 0) break;  // all of them count
    remove(idle);
  }
  return solved;
}

void PlaneBundle::remove(std::size_t which) {
  const std::size_t count = planes_.size();
  std::vector<double> gram;
  gram.reserve((count - 1) * (count - 1));
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < count; ++b) {
      if (a != which && b != which) gram.push_back(gram_[a * count + b]);
    }
  }
  gram_ = std::move(gram);
  planes_.erase(planes_.begin() + static_cast<std::ptrdiff_t>(which));
}

std::vector<double> PlaneBundle::theta(Comm& comm) const {
  const auto [first, end] = share(comm);
  std::vector<double> mine(end - first, 0);
  for (const Plane& plane : planes_) {
    if (plane.lambda > 0) axpy(plane.lambda, DenseRow<double>{plane.g.data(), plane.g.size()}, mine.data());
  }
  if (comm.size() == 1) return mine;
  std::vector<double> all(features_);
  std::size_t at = 0;
  for (const std::vector<std::byte>& bytes : comm.all_gather(std::as_bytes(std::span(mine)))) {
    if (!bytes.empty()) std::memcpy(all.data() + at, bytes.data(), bytes.size());
    at += bytes.size() / sizeof(double);
  }
  return all;
}

double PlaneBundle::beta() const {
  ExactSum sum;
  for (const Plane& plane : planes_) sum.add(plane.lambda * plane.beta);
  return sum.value();
}

double PlaneBundle::imbalance() const {
  double sum = 0;
  for (const Plane& plane : planes_) sum += plane.lambda * std::abs(plane.imbalance);
  return sum;
}

void PlaneBundle::save(ByteWriter& writer) const {
  writer.number<std::uint64_t>(features_);
  writer.number(round_);
  writer.number<std::uint64_t>(planes_.size());
  for (const Plane& plane : planes_) {
    writer.numbers(plane.g);
    for (const double x : {plane.beta, plane.imbalance, plane.lambda}) writer.number(x);
    writer.number(plane.active);
  }
  writer.numbers(gram_);
  writer.number(static_cast<std::uint8_t>(exhausted_));
}

void PlaneBundle::load(ByteReader& reader) {
  require_state(reader.number<std::uint64_t>() == features_);
  round_ = reader.count();
  const auto count = reader.number<std::uint64_t>();
  planes_.clear();
  for (std::uint64_t k = 0; k < count; ++k) {
    Plane plane;
    plane.g = reader.numbers<double>();
    require_state(plane.g.size() <= features_ && (k == 0 || plane.g.size() == planes_.front().g.size()));
    require_state(std::ranges::all_of(plane.g, [](double x) { return std::isfinite(x); }));
    for (double* x : {&plane.beta, &plane.imbalance}) *x = reader.finite();
    plane.lambda = reader.at_least_zero();
    plane.active = reader.count();
    planes_.push_back(std::move(plane));
  }
  gram_ = reader.numbers<double>(planes_.size() * planes_.size());
  exhausted_ = reader.flag();
}

}  // namespace linsep

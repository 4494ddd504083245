#include "learn/margin/plane_bundle.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernel/kernel.h"
#include "learn/margin/simplex_quadratic.h"
#include "numeric/exact_all_reduce.h"

namespace linsep {
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
}

}  // namespace linsep

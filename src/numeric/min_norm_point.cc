#include "numeric/min_norm_point.h"

#include <algorithm>
#include <limits>

#include "kernel/kernel.h"

namespace linsep {
namespace {

constexpr double kZeroSquared = 1e-26;
constexpr double kNearEnough = 1e-3;
/// A weight at most this is treated as not positive.
constexpr double kNoWeight = 1e-12;
/// ‖p‖² must fall at least by this share in so many steps, or rounding has taken over.
constexpr double kProgress = 1e-12;
constexpr int kStallSteps = 20;
/// Points that are looked at between two looks at all.
constexpr std::size_t kNear = 64;

}  // namespace

void MinNormPoint::add(std::span<const double> point, std::int64_t name) {
  value_.insert(value_.end(), point.begin(), point.end());
  name_.push_back(name);
}

double MinNormPoint::score(std::size_t i) const {
  return dot(DenseRow<double>{value_.data() + i * size_, size_}, p_.data());
}

// All points are scored once in a while; in between only those that were among the least.
std::size_t MinNormPoint::find_least(bool all) {
  if (!all) {
    std::size_t best = points();
    least_ = std::numeric_limits<double>::infinity();
    for (const std::size_t i : near_) {
      const double s = score(i);
      if (s < least_) {
        least_ = s;
        best = i;
      }
    }
    if (best < points() && least_ < squared_ * (1 - kNearEnough)) return best;
  }
  scored_.resize(points());
  for (std::size_t i = 0; i < points(); ++i) scored_[i] = {score(i), i};
  const std::size_t kept = std::min(points(), kNear);
  std::partial_sort(scored_.begin(), scored_.begin() + static_cast<std::ptrdiff_t>(kept), scored_.end());
  near_.clear();
  for (std::size_t k = 0; k < kept; ++k) near_.push_back(scored_[k].second);
  least_ = scored_.front().first;
  return scored_.front().second;
}

void MinNormPoint::update_point() {
  double sum = 0;
  for (const double weight : lambda_) sum += weight;
  p_.assign(size_, 0.0);
  for (std::size_t c = 0; c < corral_.size(); ++c) {
    lambda_[c] /= sum;
    axpy(lambda_[c], DenseRow<double>{value_.data() + corral_[c] * size_, size_}, p_.data());
  }
  squared_ = dot(DenseRow<double>{p_.data(), size_}, p_.data());
}

void MinNormPoint::drop(std::size_t c) {
  factor_.remove(c);
  corral_.erase(corral_.begin() + static_cast<std::ptrdiff_t>(c));
  lambda_.erase(lambda_.begin() + static_cast<std::ptrdiff_t>(c));
}

void MinNormPoint::minor_cycles() {
  std::vector<double> x;
  while (true) {
    factor_.affine_minimum(x);
    if (std::all_of(x.begin(), x.end(), [](double value) { return value > kNoWeight; })) {
      lambda_ = x;
      return;
    }
    const auto [step, blocking] = reach_towards(x, lambda_, kNoWeight);
    for (std::size_t c = 0; c < x.size(); ++c) lambda_[c] += step * (x[c] - lambda_[c]);
    lambda_[blocking] = 0;
    for (std::size_t c = x.size(); c-- > 0;) {
      if (lambda_[c] <= kNoWeight * 1e-2 && corral_.size() > 1) drop(c);
    }
    if (corral_.size() == 1) {
      lambda_[0] = 1;
      return;
    }
  }
}

bool MinNormPoint::enter(std::size_t i) {
  if (std::find(corral_.begin(), corral_.end(), i) != corral_.end()) return false;
  if (!factor_.push(point(i))) return false;
  corral_.push_back(i);
  lambda_.push_back(0.0);
  minor_cycles();
  update_point();
  return true;
}

MinNormPoint::End MinNormPoint::solve(const std::function<bool()>& stop) {
  if (corral_.empty()) {
    factor_.push(point(0));
    corral_.push_back(0);
    lambda_.push_back(1.0);
    update_point();
  }
  near_.clear();
  double reference = squared_;
  int idle = 0;
  bool fresh = false;  // the factor was made anew since the last step
  while (true) {
    if (squared_ < kZeroSquared) return End::kZero;
    const std::size_t entering = find_least(false);
    if (least_ >= squared_ * (1 - kNearEnough)) return End::kSeparated;
    if (stop && stop()) return End::kStopped;
    if (idle <= kStallSteps && enter_any(entering)) {
      idle = squared_ < reference * (1 - kProgress) ? 0 : idle + 1;
      if (idle == 0) fresh = false;
      reference = std::min(reference, squared_);
      continue;
    }
    if (fresh) break;
    refactor();
    fresh = true;
    idle = 0;
    reference = squared_;
  }
  find_least(true);
  return least_ > 0 ? End::kSeparated : End::kStalled;
}

// The point found, or where rounding keeps it out, another one that would lower ‖p‖ too.
bool MinNormPoint::enter_any(std::size_t first) {
  if (enter(first)) return true;
  find_least(true);
  for (std::size_t k = 0; k < near_.size(); ++k) {
    if (score(near_[k]) >= squared_ * (1 - kNearEnough)) break;
    if (near_[k] != first && enter(near_[k])) return true;
  }
  return false;
}

// Rotations add up rounding: the factor of the corral anew. Points that turn out dependent leave it.
void MinNormPoint::refactor() {
  factor_.clear();
  const std::vector<std::size_t> corral = std::move(corral_);
  const std::vector<double> lambda = std::move(lambda_);
  corral_.clear();
  lambda_.clear();
  for (std::size_t c = 0; c < corral.size(); ++c) {
    if (!factor_.push(point(corral[c]))) continue;
    corral_.push_back(corral[c]);
    lambda_.push_back(lambda[c]);
  }
  minor_cycles();
  update_point();
}

}  // namespace linsep

#include "numeric/min_norm_point.h"

#include <algorithm>
#include <limits>

#include "core/deadline.h"
#include "kernel/kernel.h"

namespace linsep {
namespace {

constexpr double kZeroSquared = 1e-26;
constexpr double kNearEnough = 1e-3;
/// ‖p‖² must fall at least by this share in kStallSteps steps, or rounding has taken over.
constexpr double kProgress = 1e-12;
constexpr int kStallSteps = 20;
/// How many points are scored between two scans of all.
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
  corral_.normalize();
  p_.assign(size_, 0.0);
  for (std::size_t c = 0; c < corral_.size(); ++c) {
    axpy(corral_.weight()[c], DenseRow<double>{value_.data() + corral_.index()[c] * size_, size_}, p_.data());
  }
  squared_ = dot(DenseRow<double>{p_.data(), size_}, p_.data());
}

bool MinNormPoint::enter(std::size_t i) {
  if (corral_.contains(i) || !corral_.push(i, point(i), 0, 0)) return false;
  corral_.minor_cycles();
  update_point();
  return true;
}

MinNormPoint::End MinNormPoint::solve(const Deadline& deadline) {
  if (corral_.empty()) {
    corral_.push(0, point(0), 0, 1);
    update_point();
  }
  near_.clear();
  double reference = squared_;
  int idle = 0;
  bool fresh = false;  // the factor was recomputed since the last step
  while (true) {
    if (squared_ < kZeroSquared) return End::kZero;
    const std::size_t entering = find_least(false);
    if (least_ >= squared_ * (1 - kNearEnough)) return End::kSeparated;
    if (deadline.expired()) return End::kStopped;
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

// Rotations accumulate rounding: recomputes the factor of the corral. Points that turn out dependent leave it.
void MinNormPoint::refactor() {
  const std::vector<std::size_t> index = corral_.index();
  const std::vector<double> weight = corral_.weight();
  corral_.clear();
  for (std::size_t c = 0; c < index.size(); ++c) {
    poll(c * (c + size_));
    corral_.push(index[c], point(index[c]), 0, weight[c]);
  }
  corral_.minor_cycles();
  update_point();
}

}  // namespace linsep

#include "numeric/corral.h"

#include <algorithm>
#include <utility>

namespace linsep {

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

void Corral::normalise() {
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

// ProximalStep: what proximal Newton methods know of a step: how far it goes towards the minimizer of the quadratic
// model, whether F falls enough for it, and how much the next model is damped. And which units of weights the model is
// about.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace linsep {

struct ProximalStep {
  double length = 1;   ///< the part of the way to the model's minimizer that is tried
  double damping = 0;  ///< the model's Hessian is H + damping·diag(H)
  double value = std::numeric_limits<double>::infinity();  ///< F at the point; infinite before the first gradient
  double decrease = 0;     ///< of F to first order, penalty included, on the whole way; at most 0
  std::int64_t taken = 0;  ///< steps so far
  std::int64_t stuck = 0;  ///< steps in a row that promise no more than rounding

  static constexpr double kUnit = 0x1p-53;

  /// How much violation the minimizer of a model may leave whose greatest was `worst`.
  static double accuracy(double worst) { return 0.1 * std::min(0.1, worst) * worst; }

  /// Whether F falls enough to `at` for a step of this length; it may rise by so many roundings.
  bool lowers_enough(double at, double of_length, double roundings) const {
    constexpr double kShare = 1e-4;
    return !std::isfinite(value) || at <= value + kShare * of_length * decrease + roundings * kUnit * value;
  }

  /// The point tried, where F is `at`, is the point from here on. A step that had to be shortened damps the next.
  void accept(double at) {
    damping = length < 1 ? std::max(0.5, (length < 0.25 ? 4 : 2) * damping) : damping < 0.2 ? 0 : damping / 8;
    value = at;
  }

  /// F can't get below 0: a model that promises to gain more than there is gets more damping, and true is returned.
  bool damps(double gain) {
    constexpr double kCredible = 0.9, kMostDamping = 1e3;
    if (gain <= kCredible * value || damping >= kMostDamping) return false;
    damping = std::max(1.0, 4 * damping);
    return true;
  }

  /// The whole way is tried next, on which F changes by `change` to first order.
  void begin(double change) {
    length = 1;
    ++taken;
    decrease = std::min(0.0, change);
    stuck = decrease > -16 * kUnit * value ? stuck + 1 : 0;
  }
  /// Only rounding is left: two such steps were tried, and a third promises no more.
  bool stalled() const { return stuck >= 3; }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.count(self.taken);
    archive.count(self.stuck);
    for (auto* x : {&self.length, &self.damping}) archive.at_least_zero(*x);
    for (auto* x : {&self.value, &self.decrease}) archive.ordered(*x);
  }
};

/// A unit of weights (penalty.h) that the model may be about.
struct ViolatingUnit {
  double violation = 0;  ///< of optimality
  std::uint64_t unit = 0;
  bool support = false;  ///< its weights aren't 0
};

/// Keeps so many candidates, by number: the support first if it fits as a whole, then those that violate most.
inline void keep_worst(std::vector<ViolatingUnit>& candidates, std::size_t most, bool whole_support) {
  const auto first = [whole_support](const ViolatingUnit& a, const ViolatingUnit& b) {
    if (whole_support && a.support != b.support) return a.support;
    return a.violation != b.violation ? a.violation > b.violation : a.unit < b.unit;
  };
  std::nth_element(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(most), candidates.end(), first);
  candidates.resize(most);
  std::sort(candidates.begin(), candidates.end(),
            [](const ViolatingUnit& a, const ViolatingUnit& b) { return a.unit < b.unit; });
}

}  // namespace linsep

// MinNormPoint: the point of least norm in the convex hull of a few points, in floating point.
//
// Method: Wolfe's (numeric/corral.h). A corral of affinely independent points carries the present point p = Σ λ_i z_i;
// the point with the least z·p joins it; repeat.
// Stops: z·p ≥ (1 − 10⁻³)·‖p‖² for all points, so p separates them; or ‖p‖² < 10⁻²⁶, so the corral probably is a
// witness; or rounding leaves no progress. Nothing here is a proof: certify/exact makes one of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/deadline.h"
#include "numeric/corral.h"

namespace linsep {

class MinNormPoint {
 public:
  enum class End {
    kSeparated,  ///< z·p > 0 on every point
    kZero,       ///< p is 0 but for rounding
    kStalled,    ///< neither, and rounding stands in the way
    kStopped,    ///< the deadline has expired
  };

  /// Points have `size` coordinates.
  explicit MinNormPoint(std::size_t size) : size_(size), corral_(size, 1, 1e-12) {}

  /// `name` is the caller's; a point should have a norm near 1 at most.
  void add(std::span<const double> point, std::int64_t name);
  std::size_t points() const { return name_.size(); }
  std::size_t size() const { return size_; }
  std::int64_t name(std::size_t i) const { return name_[i]; }
  std::span<const double> point(std::size_t i) const { return {value_.data() + i * size_, size_}; }

  /// Resumes where the last call ended. REQUIRES: there is a point.
  End solve(const Deadline& deadline);

  const std::vector<double>& nearest() const { return p_; }
  double squared_norm() const { return squared_; }
  /// min z·p over all points, as of the end of solve.
  double least() const { return least_; }
  /// The points that carry p, by their index, and their weights (above 0, sum 1).
  const std::vector<std::size_t>& corral() const { return corral_.index(); }
  const std::vector<double>& weights() const { return corral_.weight(); }

 private:
  double score(std::size_t i) const;
  std::size_t find_least(bool all);
  bool enter(std::size_t i);
  bool enter_any(std::size_t first);
  void refactor();
  void update_point();

  std::size_t size_;
  std::vector<double> value_;
  std::vector<std::int64_t> name_;
  Corral corral_;
  std::vector<double> p_;
  std::vector<std::size_t> near_;
  std::vector<std::pair<double, std::size_t>> scored_;
  double squared_ = 0;
  double least_ = 0;
};

}  // namespace linsep

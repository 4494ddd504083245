// HingeLine: the hinge's least risk over the offset, along the line from one classifier's scores to another's.
//
// R(θ) = min over θ0 of Σ c_i·max(0, 1 − y_i(θ·x_i + θ0)) is convex. At the best offset for some scores the α that
// touches R there has α_i = c_i within the margin, 0 outside, and a share of c_i for the rows on it, so that
// Σ α_i y_i = 0.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "learn/margin/surveyed_task.h"

namespace linsep {

/// R at some scores: its value, and the α that touches it there. Rows on the margin count for a share of their cost.
struct Touching {
  double offset = 0, positive_share = 0, negative_share = 0;
  double risk = 0;
  double slope = 0;  ///< of R along the line
  double alphas = 0, imbalance = 0;
};

class HingeLine {
 public:
  /// Where a search ended: a share t of the way, the value of ½‖θ‖² + R there but for a constant, and R.
  struct Trial {
    double t = 0, value = 0;
    Touching at = {};
  };

  void begin(std::size_t rows);
  /// By row: the scores from which the line goes out, and those to which it goes.
  std::vector<double>& from() { return from_; }
  std::vector<double>& to() { return to_; }
  const std::vector<double>& from() const { return from_; }
  /// The offset at which a row comes to lie on its margin, for the scores that were touched last.
  std::vector<double>& bends() { return bend_; }
  const std::vector<double>& bends() const { return bend_; }

  /// R at the scores a share t of the way. A collective call.
  Touching touch(double t, const SurveyedTask& task, Comm& comm);
  /// α_i at the scores that were touched last.
  double alpha_of(std::size_t i, const Touching& at, const SurveyedTask& task) const {
    const double cost = task.cost()[i], side = bend_[i] - at.offset;
    if (cost > 0) return side > 0 ? cost : (side == 0 ? cost * at.positive_share : 0);
    return side < 0 ? -cost : (side == 0 ? -cost * at.negative_share : 0);
  }

  /// The best point found on the way from `theta` to `w`, not beyond it (scores would lose precision). Lines below R,
  /// one from either side, say where to look next, and how much there is to gain: R is convex along the way, and what θ
  /// costs is a parabola. A collective call. `stop` is looked at between trials.
  Trial search(std::span<const double> theta, std::span<const double> w, const SurveyedTask& task, Comm& comm,
               const StopPoint& stop);
  /// The line goes out from a share t of the way from now on.
  void move(double t);

 private:
  std::vector<double> from_, to_, bend_;
};

}  // namespace linsep

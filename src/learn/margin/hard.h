// The hard margin: min ½‖θ‖² under y_i(θ·x_i + θ0) ≥ 1 for every row; through the origin θ0 = 0. Rows of weight 0 are
// left out, other weights play no part.
//
// Bounds. Any θ that separates has the geometric margin γ = (min over positive rows of θ·x − max over negative rows of
// θ·x)/(2‖θ‖) with the offset half way, and scaled so that the nearest rows have y·z = 1 its objective is 1/(2γ²). Any
// points p and q of the two classes' convex hulls have ‖p − q‖ ≥ 2γ for every separator's γ. Through the origin: γ is
// min y·θ·x/‖θ‖, at most ‖v‖ for every v in the hull of the y_i·x_i. So with the best of both
// gap = 1 − (γ/γ_most)², which is the relative duality gap of the objective.
//
// Rounding: a score is off by at most (values/8 + 5)·2⁻⁵³·‖θ‖·‖x‖, and v by (rows + 3)·2⁻⁵³·max‖x‖ for each hull. Both
// are taken off, so the bounds hold for the numbers the data is stored as.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/bytes.h"
#include "learn/margin/task.h"
#include "linsep/learner.h"
#include "linsep/learner_info.h"
#include "linsep/options.h"

namespace linsep {

/// The one that `choice` names; where it is empty, the one that fits the shape, once it begins.
std::unique_ptr<Learner> make_hard_margin(const MarginSettings& settings, SolverChoice choice = {});

/// What the methods share: labels, extent of the rows, the best of both bounds.
class HardTask {
 public:
  explicit HardTask(const MarginSettings& settings) : settings_(settings) {}

  const MarginSettings& settings() const { return settings_; }
  std::size_t hulls() const { return settings_.origin ? 1 : 2; }
  std::size_t features() const { return features_; }

  void begin(const Shape& shape);
  /// Throws Error for a label that isn't −1 or +1. Returns the label's sign.
  int sign_of(const Batch& batch, std::int64_t i) const;
  /// Ends the first pass. True when the rows are of one class, which the offset separates without any weight.
  bool end_labels(const RowExtent& extent, std::int64_t positive, std::int64_t negative);
  const RowExtent& extent() const { return extent_; }

  /// θ with the least y·θ·x of each class: positive, negative. Through the origin both are one.
  void offer_separator(const std::vector<double>& theta, double positive, double negative);
  /// ‖v‖ of a point of the difference of the hulls, with `rows` rows as its support.
  void offer_hull(double norm, double rows);

  double margin() const { return margin_; }                   ///< 0: no separator yet
  double margin_upper_bound() const { return margin_most_; }  ///< infinite: not bounded yet
  double gap() const;
  bool converged() const { return gap() <= settings_.gap; }
  void report(Progress& progress) const;
  Model model() const;

  void save(ByteWriter& writer) const;
  /// REQUIRES: begun with the same data.
  void load(ByteReader& reader);

 private:
  MarginSettings settings_;
  std::size_t features_ = 0;
  RowExtent extent_;
  bool one_class_ = false;
  double margin_ = 0, margin_most_ = std::numeric_limits<double>::infinity();
  std::vector<double> theta_;
  double offset_ = 0;
};

}  // namespace linsep

// CuttingPlanes: the solver of cutting_planes.cc. It asks of all rows (numeric/row_query.h) and is told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "learn/margin/gap.h"
#include "learn/margin/plane_bundle.h"
#include "learn/margin/task.h"
#include "linsep/comm.h"
#include "numeric/row_query.h"

namespace linsep {

// HingeLine: the hinge's least risk over the offset, along the line from one classifier's scores to another's.
//
// R(θ) = min over θ0 of Σ c_i·max(0, 1 − y_i(θ·x_i + θ0)) is convex. At the best offset for some scores the α that
// touches R there has α_i = c_i within the margin, 0 outside, and a share of c_i for the rows on it, so that
// Σ α_i y_i = 0.

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
  /// The offset at which a row comes to lie on its margin, for the scores that were touched last. Whoever has used
  /// them may clear them.
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
  /// costs is a parabola. A collective call. Polls between trials.
  Trial search(std::span<const double> theta, std::span<const double> w, const SurveyedTask& task, Comm& comm);
  /// The line goes out from a share t of the way from now on.
  void move(double t);

 private:
  std::vector<double> from_, to_, bend_;
  LikelyInterval likely_;  // of the next offset
  double offset_ = 0;      // the last one
};

class CuttingPlanes {
 public:
  static constexpr std::string_view kName = "margin planes";
  static constexpr bool kBlocks = false;
  static constexpr ColumnUnits kUnits = ColumnUnits::kShared;

  /// `task` outlives this.
  explicit CuttingPlanes(SurveyedTask& task) : task_(task) {}

  void begin();
  /// From where the task starts.
  void start(const KnownRows& known, Comm& comm);
  /// Goes on with what was loaded. Throws an input Error if that doesn't fit together.
  void resume(const KnownRows& known) const;

  RowQuery next();
  /// Whether the gap is reached, or rounding stands in the way. `comm` is for sums over all workers' rows of what is
  /// known of their scores.
  Verdict take(const RowAnswer& answer, Comm& comm);

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    const std::size_t rows = self.task_.rows(), features = self.task_.features();
    archive.part(self.bundle_);
    archive.choice(self.phase_, Phase::kPlane);
    // The scores of w are recomputed by the next pass for them.
    archive.numbers(self.line_.from(), rows);
    archive.numbers(self.theta_, features);
    archive.numbers_or_none(self.w_, features);
    archive.numbers_or_none(self.line_.bends(), rows);
    archive.finite(self.touching_.offset);
    archive.at_least_zero(self.touching_.positive_share);
    archive.at_least_zero(self.touching_.negative_share);
    archive.at_least_zero(self.touching_.alphas);
    archive.finite(self.touching_.imbalance);
    archive.at_least_zero(self.longest_theta_);
    archive.count(self.rounds_);
    archive.count(self.stuck_);
    archive.ordered(self.stuck_open_);
  }

 private:
  enum class Phase : std::uint8_t { kScores, kPlane };

  void begin_plane(double t, Comm& comm);
  void take_scores(Comm& comm);
  void take_plane(const RowAnswer& answer, Comm& comm);
  void count_stuck(double open);

  SurveyedTask& task_;
  Phase phase_ = Phase::kScores;
  HingeLine line_;  // from the best classifier to w
  // By column.
  std::vector<double> theta_, w_;
  PlaneBundle bundle_;
  Touching touching_;
  double longest_theta_ = 0;
  std::int64_t rounds_ = 0;
  std::int64_t stuck_ = 0;  // rounds whose least point wasn't found, without progress since
  double stuck_open_ = 0;   // the gap in the first of them
};

}  // namespace linsep

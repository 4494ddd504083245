// SoftmaxWorkingSet: the solver of softmax_working_set.cc. It asks of all rows (numeric/row_query.h) and is told; it
// never sees one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "learn/margin/l1_quadratic.h"
#include "learn/margin/penalty.h"
#include "learn/margin/proximal_step.h"
#include "learn/margin/softmax.h"
#include "linsep/comm.h"
#include "linsep/learner.h"
#include "numeric/row_query.h"
#include "numeric/share_hessian.h"

namespace linsep {

/// The offsets of a model, eliminated: G = LLᵀ of the classes whose offsets are free.
class OffsetElimination {
 public:
  /// G is the Hessian of the offsets, which begin at number `first` of it. A class whose pivot is no more than rounding
  /// stays where it is.
  void factor(const ShareHessian& hessian, std::size_t first, std::size_t classes, std::span<const std::size_t> free);
  /// L⁻¹ of numbers by class.
  std::vector<double> forward(std::span<const double> by_class) const;
  /// L⁻ᵀ, as numbers by class.
  std::vector<double> backward(std::vector<double> y) const;

 private:
  std::size_t classes_ = 0;
  std::vector<std::size_t> free_;
  std::vector<std::vector<double>> rows_;  // of L
};

class SoftmaxWorkingSet {
 public:
  static constexpr std::string_view kName = "margin softmax working set";
  static constexpr bool kBlocks = false;
  static constexpr ColumnUnits kUnits = ColumnUnits::kOwn;

  /// `task` outlives this.
  explicit SoftmaxWorkingSet(SoftmaxTask& task)
      : task_(task), penalty_{task.settings().penalty, task.settings().group_features, task.classes()} {}
  SoftmaxWorkingSet(const SoftmaxWorkingSet&) = delete;
  SoftmaxWorkingSet& operator=(const SoftmaxWorkingSet&) = delete;

  void begin();
  /// From Θ = 0.
  void start(const KnownRows& known, Comm& comm);
  /// Goes on with what was loaded. Throws an input Error if that doesn't fit together.
  void resume(const KnownRows& known) const;

  RowQuery next();
  /// Whether the gap is reached, or rounding stands in the way. `comm` is for sums over all workers' rows of what is
  /// known of their scores.
  Verdict take(const RowAnswer& answer, Comm& comm);

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    const std::size_t classes = self.task_.classes(), weights = self.task_.weights();
    archive.choice(self.phase_, Phase::kHessian);
    archive.part(self.step_);
    for (auto* by_row : {&self.z_, &self.trial_z_}) archive.numbers(*by_row, self.task_.rows() * classes);
    for (auto* w : {&self.w_, &self.target_}) archive.ordered_or_none(*w, weights + classes);
    for (auto* v : {&self.v_, &self.class_sum_}) archive.numbers_or_none(*v, weights);
    archive.numbers_or_none(self.balance_, classes);
    archive.at_least_zero(self.total_curvature_);
  }

 private:
  enum class Phase : std::uint8_t { kGradient, kHessian };

  std::size_t classes() const { return task_.classes(); }
  bool origin() const { return task_.settings().origin; }
  bool has_offset(std::size_t c) const { return !origin() && task_.active(c); }
  std::span<const double> weights(const std::vector<double>& w) const { return std::span(w).first(task_.weights()); }
  std::span<const double> offsets(const std::vector<double>& w) const { return std::span(w).subspan(task_.weights()); }

  RowQuery ask_gradient();
  void slopes(const ScoredRows& rows, bool centre) const;
  void take_gradient(const RowAnswer& answer, Comm& comm);
  void shorten(Comm& comm);
  void offer_bounds(std::span<const double> errors, Comm& comm);
  void offer_dual(double share, double scale, std::span<const double> length, Comm& comm);
  RowQuery ask_hessian();
  void choose_pairs();
  void shares(const ScoredRows& rows) const;
  void build_model();
  void minimize_model();

  SoftmaxTask& task_;
  const JointPenalty penalty_;
  Phase phase_ = Phase::kGradient;
  // By row and class: scores without offsets, at w_ and at the point that is tried.
  std::vector<double> z_, trial_z_;
  // By feature and class, then offsets: the point, the model's minimizer, what is tried on the way to it.
  std::vector<double> w_, target_, trial_;
  // By feature and class: V, and Σ c_i·x_ij of the class.
  std::vector<double> v_, class_sum_;
  std::vector<double> balance_;  // r by class
  ProximalStep step_;
  double total_curvature_ = 0;
  // The working set: pairs, ascending, in blocks by feature.
  std::vector<std::uint64_t> pairs_;
  std::vector<L1Quadratic::Block> block_;
  double worst_ = 0;  // violation in it
  // The model: H and V with the offsets eliminated, and how.
  ShareHessian hessian_;
  L1Quadratic model_;
  OffsetElimination elimination_;
  std::vector<double> model_v_, model_balance_;
  std::vector<std::vector<double>> model_border_;
};

}  // namespace linsep

// WorkingSet: the solvers of working_set.cc. They ask of all rows (numeric/row_query.h) and are told; they never see
// one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "learn/margin/l1_quadratic.h"
#include "learn/margin/proximal_step.h"
#include "learn/margin/task.h"
#include "linsep/comm.h"
#include "linsep/model.h"
#include "numeric/column_store.h"
#include "numeric/hessian_sums.h"
#include "numeric/row_query.h"

namespace linsep {

class WorkingSet {
 public:
  static constexpr bool kBlocks = false;
  static constexpr ColumnUnits kUnits = ColumnUnits::kOwn;  // zeros rest on the error of each column

  /// What the quadratic model is summed from: its Hessian over W, by a pass; or a copy of the rows by columns, which
  /// one worker can hold, through which coordinate descent goes without a Hessian.
  enum class ModelBy : std::uint8_t { kHessian, kColumns };

  /// `task` outlives this.
  WorkingSet(SurveyedTask& task, ModelBy model_by) : model_by_(model_by), task_(task) {}
  WorkingSet(const WorkingSet&) = delete;
  WorkingSet& operator=(const WorkingSet&) = delete;

  void begin();
  /// From where the task starts.
  void start(const KnownRows& known, Comm& comm);
  /// Goes on with what was loaded. Throws an input Error if that doesn't fit together.
  void resume(const KnownRows& known);

  RowQuery next();
  /// Whether the gap is reached, or rounding stands in the way. `comm` is for sums over all workers' rows of what is
  /// known of their scores.
  Verdict take(const RowAnswer& answer, Comm& comm);

  /// Goes on with another λ from the point whose bounds are known. False: there is none now.
  bool change_lambda(double lambda);
  /// Which of the weights that are 0 might not be at the optimum.
  void complete(Model& model) const;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    const std::size_t rows = self.task_.rows(), features = self.task_.features();
    archive.choice(self.phase_, Phase::kColumns);
    archive.part(self.step_);
    for (auto* by_row : {&self.z_, &self.trial_z_, &self.curvature_}) archive.numbers(*by_row, rows);
    archive.numbers(self.w_, features);
    for (auto* v : {&self.target_, &self.square_, &self.dual_v_, &self.v_[0], &self.v_[1]}) {
      archive.numbers_or_none(*v, features);
    }
    for (auto* x : {&self.offset_, &self.target_offset_}) archive.finite(*x);
    for (auto* x :
         {&self.total_loss_, &self.total_curvature_, &self.greatest_curvature_, &self.alphas_[0], &self.alphas_[1]}) {
      archive.at_least_zero(*x);
    }
  }

 private:
  enum class Phase : std::uint8_t { kGradient, kHessian, kColumns };

  /// The quadratic model without its Hessian.
  struct ColumnModel {
    std::vector<double> v, diagonal, border;  // by place in W, the offset eliminated; Σ D_i·x_ij
    std::vector<double> curved;               // by row of the extract: D_i times the change of the score
    double moved = 0;                         // Σ D_i times the change of the score
  };

  Loss loss() const { return task_.settings().loss; }
  const Penalty& penalty() const { return task_.penalty(); }
  bool origin() const { return task_.settings().origin; }
  double imbalance() const { return alphas_[0] - alphas_[1]; }

  RowQuery ask_gradient();
  void slopes(const ScoredRows& rows, bool centre);
  void take_gradient(const RowAnswer& answer, Comm& comm);
  void take_centre(const RowAnswer::Columns& columns);
  void shorten(Comm& comm);
  void offer_primal();
  void offer_bounds(std::span<const double> errors, Comm& comm);
  RowQuery ask_hessian();
  void choose_columns();
  void step_by_hessian();
  void step_by_columns();
  double pulled(const ColumnModel& model, double share, std::size_t k) const;
  void descend_columns(ColumnModel& model, double share, std::span<double> u, double tolerance) const;
  void set_target(std::span<const double> v, std::span<const double> u, double offset_step);

  const ModelBy model_by_;
  SurveyedTask& task_;
  Phase phase_ = Phase::kGradient;
  // By row: scores at w_ and at the point that is tried, and D.
  std::vector<double> z_, trial_z_, curvature_;
  // By column: the point, the model's minimizer, what is tried on the way to it, v by class, Σ c_i·(x_ij − x̄_j)².
  std::vector<double> w_, target_, trial_, square_;
  std::array<std::vector<double>, 2> v_;
  std::vector<double> dual_v_;  // by column: at least |v| of the best dual point; empty without one
  double offset_ = 0, target_offset_ = 0, trial_offset_ = 0;
  ProximalStep step_;
  double total_loss_ = 0, total_curvature_ = 0, greatest_curvature_ = 0;  // of all workers' rows
  std::array<double, 2> alphas_ = {};                                     // Σ α_i by class
  std::vector<std::uint32_t> columns_;                                    // W, ascending
  HessianSums hessian_;
  L1Quadratic model_;
  ColumnStore store_;
  ColumnExtract extract_;  // of W, for one step
};

struct WorkingSetByHessian : WorkingSet {
  static constexpr std::string_view kName = "margin working set";
  explicit WorkingSetByHessian(SurveyedTask& task) : WorkingSet(task, ModelBy::kHessian) {}
};
struct WorkingSetByColumns : WorkingSet {
  static constexpr std::string_view kName = "margin columns";
  explicit WorkingSetByColumns(SurveyedTask& task) : WorkingSet(task, ModelBy::kColumns) {}
};

}  // namespace linsep

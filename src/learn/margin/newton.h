// Newton: the solver of newton.cc. It asks of all rows (numeric/row_query.h) and is told; it never sees one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "learn/margin/newton_direction.h"
#include "learn/margin/task.h"
#include "linsep/comm.h"
#include "numeric/gram.h"
#include "numeric/hessian_sums.h"
#include "numeric/row_query.h"

namespace linsep {

class Newton {
 public:
  static constexpr std::string_view kName = "margin newton";
  static constexpr bool kBlocks = true;
  static constexpr ColumnUnits kUnits = ColumnUnits::kShared;

  /// `task` outlives this.
  explicit Newton(SurveyedTask& task) : task_(task) {}
  Newton(const Newton&) = delete;
  Newton& operator=(const Newton&) = delete;

  void begin();
  /// From where the task starts.
  void start(const KnownRows& known, Comm& comm);
  /// Goes on with what was loaded. Throws an input Error if that doesn't fit together.
  void resume(const KnownRows& known);
  void share(const std::shared_ptr<SharedGram>& gram) { shared_ = gram; }

  RowQuery next();
  /// Whether the gap is reached, or rounding stands in the way. `comm` is for sums over all workers' rows of what is
  /// known of their scores.
  Verdict take(const RowAnswer& answer, Comm& comm);

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    const std::size_t rows = self.task_.rows(), features = self.task_.features();
    archive.choice(self.phase_, Phase::kDirection);
    archive.within(self.level_, -1000, 1000);
    for (auto* by_row : {&self.z_, &self.dz_, &self.curvature_}) archive.numbers(*by_row, rows);
    archive.numbers(self.w_, features);
    archive.numbers_or_none(self.gradient_, features);
    archive.part(self.direction_, features);
    archive.finite(self.offset_);
    archive.at_least_zero(self.primal_);
    archive.part(self.hessian_, features, !self.task_.settings().origin);
    archive.at_least_zero(self.last_gap_);
    archive.count(self.stuck_);
  }

 private:
  enum class Phase : std::uint8_t { kStart, kGradient, kProduct, kDirection };

  Loss loss() const { return task_.settings().loss; }
  double steepest_curvature() const { return facts_of(loss()).curvature; }
  double best_offset(std::span<const double> z, double near, Comm& comm) const;
  void set_method(const KnownRows& known);
  void precondition(std::span<double> x);
  double farthest(std::span<const double> vector, double shift) const;

  RowQuery ask_gradient();
  RowQuery ask_product();
  void slopes(const ScoredRows& rows);
  void take_gradient(const RowAnswer& answer);
  void count_stuck();
  void begin_conjugate_gradients(const RowAnswer& answer, double curvature);
  void take_product(const RowAnswer& answer, Comm& comm);
  bool some_row_lacks_curvature(Comm& comm) const;
  void line_search(Comm& comm);

  SurveyedTask& task_;
  Phase phase_ = Phase::kStart;
  // By row: scores, their change along the step, x·q, D.
  std::vector<double> z_, dz_, xq_, curvature_;
  // By column.
  std::vector<double> w_, gradient_;
  NewtonDirection direction_;
  double offset_ = 0, primal_ = 0;
  double last_gap_ = 1;     // of the gradient before
  std::int64_t stuck_ = 0;  // gradients of which rounding took more than they gained, one after another
  // Which preconditioner there is, if any; the sampled one's level in this step.
  bool exact_ = false, sampled_gram_ = false;
  HessianSums hessian_;
  std::unique_ptr<GramPreconditioner> gram_ = std::make_unique<GramPreconditioner>();
  std::shared_ptr<SharedGram> shared_;
  int level_ = 0;
};

}  // namespace linsep

// SoftmaxNewton: the solver of softmax.cc. It asks of all rows (numeric/row_query.h) and is told; it never sees one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "learn/margin/penalty.h"
#include "learn/margin/softmax.h"
#include "learn/margin/softmax_direction.h"
#include "linsep/comm.h"
#include "linsep/learner.h"
#include "numeric/gram.h"
#include "numeric/row_query.h"

namespace linsep {

class SoftmaxNewton {
 public:
  static constexpr std::string_view kName = "margin softmax";
  static constexpr bool kBlocks = true;
  static constexpr ColumnUnits kUnits = ColumnUnits::kOwn;  // looked up once for all classes

  /// `task` outlives this.
  explicit SoftmaxNewton(SoftmaxTask& task) : task_(task), direction_(task) {}
  SoftmaxNewton(const SoftmaxNewton&) = delete;
  SoftmaxNewton& operator=(const SoftmaxNewton&) = delete;

  void begin();
  /// From Θ = 0.
  void start(const KnownRows& known, Comm& comm);
  /// Goes on with what was loaded. Throws an input Error if that doesn't fit together.
  void resume(const KnownRows& known);

  RowQuery next();
  /// Whether the gap is reached, or no step lowers the objective. `comm` is for sums over all workers' rows of what is
  /// known of their scores.
  Verdict take(const RowAnswer& answer, Comm& comm);

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    const std::size_t classes = self.task_.classes(), size = self.task_.weights() + classes;
    archive.choice(self.phase_, Phase::kDone);
    for (auto* by_row : {&self.z_, &self.p_}) archive.numbers(*by_row, self.task_.rows() * classes);
    archive.ordered_or_none(self.w_, size);
    archive.numbers(self.gradient_, size);
    for (auto* x : {&self.primal_, &self.drift_, &self.length_}) archive.at_least_zero(*x);
    archive.numbers_or_none(self.offset_hessian_, classes * (classes - 1) / 2);
    archive.part(self.direction_);
    archive.loaded(self, [](auto& solver) { solver.require_point(); });
  }

 private:
  enum class Phase : std::uint8_t { kGradient, kProduct, kDirection, kDone };

  std::size_t classes() const { return task_.classes(); }
  std::span<const double> theta() const { return std::span(w_).first(task_.weights()); }
  std::span<const double> offsets() const { return std::span(w_).subspan(task_.weights()); }
  bool has_offset(std::size_t c) const { return !task_.settings().origin && task_.active(c); }
  /// A direction's or step's numbers of weights alone.
  std::span<const double> direction() const { return std::span(direction_.direction()).first(task_.weights()); }
  bool offsets_matter() const;
  void require_point() const;
  void set_method(const KnownRows& known);

  void begin_gradient();
  RowQuery ask_gradient();
  void slopes(const ScoredRows& rows);
  void take_gradient(const RowAnswer& answer);
  RowQuery ask_product();
  void product(const ScoredRows& rows) const;
  void take_product(const RowAnswer& answer);
  double search_smoothly(const RidgeAlong& penalty, double slope, Comm& comm);
  void line_search(Comm& comm);

  SoftmaxTask& task_;
  Phase phase_ = Phase::kGradient;
  // By row and class: scores without offsets; probabilities, and after the last product the scores' change.
  std::vector<double> z_, p_;
  // By feature and class, then offsets.
  std::vector<double> w_, gradient_;
  SoftmaxDirection direction_;
  bool preconditioned_ = false;
  std::unique_ptr<GramPreconditioner> gram_ = std::make_unique<GramPreconditioner>();
  bool fresh_ = true;  // the next gradient is of fresh scores; else they are off by `drift_` (SoftmaxValue) at most
  double drift_ = 0;
  double length_ = 1;  // of the last step along its direction: where the next search begins
  double primal_ = 0;
  std::vector<double> offset_hessian_;  // of best_offsets, where one serves for several steps
};

}  // namespace linsep

// The softmax loss of several classes, trained together.
//
// The objective is λ·F with F(Θ, b) = R(Θ) + Σ_i c_i·(log Σ_c e^t_ic − t_iy), t_ic = θ_c·x_i + b_c and
// c_i = weight_i/(λ·Σ weight); the offsets b aren't penalized. R is ½Σ_c‖θ_c‖², or a penalty with an L1 part
// (penalty.h).
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/bytes.h"
#include "core/fields.h"
#include "learn/entry.h"
#include "learn/margin/task.h"
#include "linsep/comm.h"
#include "linsep/learner.h"
#include "numeric/fixed_point.h"

namespace linsep {

/// Labels are indices of classes. Runs on any number of workers, with the same result.
std::unique_ptr<Learner> make_softmax(const MarginSettings& settings, std::size_t classes, const SolverChoice& choice);
/// The same for penalties with an L1 part (softmax_working_set.cc).
std::unique_ptr<Learner> make_sparse_softmax(const MarginSettings& settings, std::size_t classes,
                                             const SolverChoice& choice);

/// What is known of the rows and of the best classifier so far: classes, costs, columns, bounds.
class SoftmaxTask {
 public:
  SoftmaxTask(const MarginSettings& settings, std::size_t classes, SolverChoice choice = {})
      : settings_(settings), classes_(classes), choice_(std::move(choice)) {}

  const MarginSettings& settings() const { return settings_; }
  std::size_t rows() const { return cost_.size(); }
  std::size_t features() const { return features_; }
  std::size_t classes() const { return classes_; }
  /// How many weights there are, without offsets.
  std::size_t weights() const { return features_ * classes(); }
  int threads() const { return settings_.threads; }

  void begin(const Shape& shape);
  /// The first pass looks at labels, weights and columns. Throws Error for a label that is no class and a weight that
  /// isn't a finite number of at least 0.
  void visit_labels(const Batch& batch);
  /// To which the survey of this worker's rows is added.
  ColumnSurvey& own_survey() { return columns_; }
  /// Ends the first pass over all workers' rows. True when the rows are of one class and have offsets, which needs no
  /// training: the bounds are set then.
  bool end_survey(Comm& comm);

  /// c_i and the class of each row, and Σ c_i of each class and of all rows of all workers.
  std::span<const double> cost() const { return cost_; }
  std::span<const std::uint32_t> own() const { return own_; }
  std::span<const double> class_costs() const { return class_cost_; }
  double costs() const { return costs_; }
  /// Whether a class takes part: without an offset each does, else each with rows. The offset of others is −∞.
  bool active(std::size_t c) const { return settings_.origin || class_cost_[c] > 0; }
  /// The offsets that suit θ = 0 best.
  std::vector<double> first_offsets() const;
  /// The index of a batch's first row. Throws an input Error where there are more rows than there should be.
  std::size_t index_of(const Batch& batch) const;
  /// The number of the first row, once labels have been seen.
  std::int64_t first_row() const { return first_row_; }

  const ColumnSurvey& columns() const { return columns_; }
  const RowExtent& extent() const { return columns_.extent; }
  /// Units of sums by column, and of Σ a_i, as if there were a column of ones.
  const FixedColumns& fixed() const { return fixed_; }
  const FixedColumns& ones() const { return ones_; }
  void set_units(ColumnUnits units = ColumnUnits::kOwn);
  std::int64_t all_rows() const { return all_rows_; }

  /// Takes note of a point or a dual value, with its rounding bound; the best of both are kept. `theta` has
  /// weights feature by feature, all classes of a feature together, then offsets.
  void offer_primal(double primal, double rounding, const std::vector<double>& theta);
  void offer_dual(double dual, double rounding);
  const Gap& gap() const { return gap_; }
  bool converged() const { return gap_.relative() <= settings_.gap; }
  Verdict verdict() const { return converged() ? Verdict::kConverged : Verdict::kContinue; }
  void report(Progress& progress) const;
  /// The first pass has ended.
  bool labelled() const { return lambda_ > 0 && std::isfinite(gap_.primal); }
  Model model() const;
  TrainingStats stats() const;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.same(self.features_);
    archive.within(self.first_row_, -1, std::numeric_limits<std::int64_t>::max());
    archive.count(self.all_rows_);
    archive.numbers(self.cost_, self.cost_.size());
    archive.numbers(self.own_, self.cost_.size());
    archive.numbers(self.class_cost_, self.classes());
    archive.part(self.columns_);
    for (auto* x : {&self.costs_, &self.greatest_, &self.weight_, &self.lambda_}) archive.at_least_zero(*x);
    auto& gap = self.gap_;
    for (auto* x : {&gap.primal, &gap.dual, &gap.primal_rounding, &gap.dual_rounding}) archive.ordered(*x);
    archive.ordered_or_none(self.theta_, self.weights() + self.classes());
    archive.loaded(self, [](auto& task) { task.restore(); });
  }
  void save(ByteWriter& writer) const { write_fields(writer, *this); }
  /// REQUIRES: `begin` was called. Throws an input Error for a state of other rows.
  void load(ByteReader& reader) { read_fields(reader, *this); }
  /// Throws an input Error unless weights are finite, and offsets of classes that take part.
  void require_point(std::span<const double> theta) const;

 private:
  /// What follows from a loaded state. Throws an input Error if it isn't sound.
  void restore();
  /// Θ = 0 with its best offsets. True when that is the optimum, all rows being of one class.
  bool offer_zero();

  MarginSettings settings_;
  std::size_t classes_;
  SolverChoice choice_;
  std::size_t features_ = 0;
  std::int64_t first_row_ = -1;
  std::int64_t all_rows_ = 0;
  std::vector<double> cost_;
  std::vector<std::uint32_t> own_;
  std::vector<double> class_cost_;
  double costs_ = 0, greatest_ = 0, weight_ = 0, lambda_ = 0;
  ColumnSurvey columns_;
  FixedColumns fixed_, ones_;
  BestGap gap_;
  std::vector<double> theta_;  // of the best primal value
};

}  // namespace linsep

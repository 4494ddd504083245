// MarginTask: what every margin solver shares: the settings, each row's label and cost, and the best bounds so far.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/fields.h"
#include "learn/margin/gap.h"
#include "linsep/comm.h"
#include "linsep/learner.h"
#include "linsep/options.h"
#include "numeric/fixed_point.h"
#include "numeric/row_blocks.h"

namespace linsep {

struct MarginSettings {
  Loss loss = Loss::kHinge;
  Penalty penalty = {};
  bool group_features = false;  ///< softmax: a feature's weights of all classes are penalized as one (penalty.h)
  bool origin = false;
  double lambda = 0;  ///< 0: by `c`
  double c = 1;       ///< λ = 1/(C·Σ weight)
  double gap = 1e-3;  ///< stop at this relative gap
  double positive_weight = 1, negative_weight = 1;
  std::int64_t passes = 0;   ///< the most there will be
  bool keep_start = false;   ///< never end with a worse classifier than that of the start
  bool check_often = false;  ///< measure the gap every few passes, because somebody judges by it
  int threads = 1;
};

/// The first pass of every solver: it looks at labels and weights only. Then the bounds and the best classifier.
class MarginTask {
 public:
  /// `start` (may be nullptr) is copied.
  explicit MarginTask(const MarginSettings& settings, const Model* start = nullptr);

  const MarginSettings& settings() const { return settings_; }
  const Penalty& penalty() const { return settings_.penalty; }
  std::size_t rows() const { return cost_.size(); }
  std::size_t features() const { return features_; }

  void begin(const Shape& shape);
  /// Throws Error for a label that isn't −1 or +1 and a weight that isn't a finite number of at least 0.
  void visit_labels(const Batch& batch);
  /// The rows' costs, once all labels have been seen: λ and the total weight are those of all workers' rows.
  void resolve_costs(Comm& comm);
  /// Ends the first pass. True when the rows are of one class, which needs no training: the bounds are set then.
  bool end_labels();

  /// Goes over to another λ: new costs, no bounds but those of θ = 0. Returns the factor by which costs grew.
  /// REQUIRES: the first pass has ended, and the rows were not of one class.
  double change_lambda(double lambda);

  /// y_i·c_i by row.
  std::span<const double> cost() const { return cost_; }
  double costs() const { return positive_ + negative_; }
  double positive_cost() const { return positive_; }
  double negative_cost() const { return negative_; }
  /// The greatest c_i of all workers.
  double greatest_cost() const { return greatest_; }
  /// The index of a batch's first row in `cost()`.
  std::size_t index_of(const Batch& batch) const { return place_of(batch, first_row_, cost_.size()); }
  /// The number of the first row, once labels have been seen.
  std::int64_t first_row() const { return first_row_; }
  double lambda() const { return lambda_; }

  /// What was started from, or an empty θ. With `keep_start` the first pass measures it.
  const std::vector<double>& start_theta() const { return start_theta_; }
  double start_offset() const { return start_offset_; }

  /// A classifier that was measured makes no mistake on rows that count: they are separable, rounding aside.
  void found_separator() { separates_ = true; }
  bool separates() const { return separates_; }

  /// Takes note of a point and a dual value, each with its rounding bound; keeps the best of both.
  bool offer_primal(double primal, double rounding, const std::vector<double>& theta, double offset);
  void offer_dual(double dual, double rounding);
  const Gap& gap() const { return gap_; }
  bool converged() const { return gap_.relative() <= settings_.gap; }
  void report(Progress& progress) const;
  Verdict verdict() const { return converged() ? Verdict::kConverged : Verdict::kContinue; }
  bool has_model() const { return !theta_.empty() || features_ == 0; }
  const std::vector<double>& theta() const { return theta_; }
  double offset() const { return offset_; }
  Model model() const;
  /// λ and C.
  TrainingStats stats() const;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.same(self.features_);
    archive.within(self.first_row_, -1, std::numeric_limits<std::int64_t>::max());
    archive.numbers(self.cost_, self.cost_.size());
    for (auto* x : {&self.positive_, &self.negative_, &self.greatest_, &self.weight_, &self.lambda_}) {
      archive.at_least_zero(*x);
    }
    auto& gap = self.gap_;
    for (auto* x : {&gap.primal, &gap.dual, &gap.rounding, &gap.primal_rounding, &gap.dual_rounding}) {
      archive.ordered(*x);
    }
    archive.finite(self.offset_);
    archive.numbers_or_none(self.theta_, self.features_);
    archive.flag(self.separates_);
    archive.loaded(self, [](auto& task) { task.require_costs(); });
  }
  void save(ByteWriter& writer) const { write_fields(writer, *this); }
  /// REQUIRES: begun with the same data. `labelled`: the first pass has ended.
  void load(ByteReader& reader) { read_fields(reader, *this); }
  bool labelled() const { return lambda_ > 0 && weight_ > 0 && std::isfinite(gap_.primal) && has_model(); }

 private:
  /// Throws an input Error if a loaded state's costs don't add up.
  void require_costs() const;
  void set_lambda(double lambda, double scale);
  void offer_zero();
  bool keeps_start() const { return settings_.keep_start && !start_theta_.empty(); }
  void measure_start(const Batch& batch);
  void sum_start(Comm& comm);

  MarginSettings settings_;
  std::vector<double> start_theta_;
  double start_offset_ = 0;
  struct {
    std::vector<double> score;  // by row, in the first pass
    RowExtent extent;
    std::optional<double> primal;  // once it is measured
    double rounding = 0;
  } start_;
  bool separates_ = false;
  std::size_t features_ = 0;
  std::int64_t first_row_ = -1;
  std::vector<double> cost_;
  double positive_ = 0, negative_ = 0, greatest_ = 0;  // of cost, over all workers
  double weight_ = 0;                                  // of all rows, classes' weights included
  double lambda_ = 0;
  BestGap gap_;
  std::vector<double> theta_;
  double offset_ = 0;
};

/// How a pass is reported that was stopped before its end: with the bounds of the best classifier so far, where there
/// are any.
template <class Task>
Verdict report_stopped(const Task& task, Progress& progress) {
  if (task.labelled()) task.report(progress);
  return Verdict::kContinue;
}

/// A MarginTask whose first pass also looks at the columns, for solvers that sum by column in fixed point and so run on
/// any number of workers to the same bits.
class SurveyedTask : public MarginTask {
 public:
  using MarginTask::MarginTask;

  void begin(const Shape& shape);
  /// To which the survey of this worker's rows is added.
  ColumnSurvey& own_survey() { return columns_; }
  /// Ends the first pass over all workers' rows: costs, columns and units are known from here on. True when the rows
  /// are of one class, which needs no training.
  bool end_survey(Comm& comm);
  double change_lambda(double lambda);
  void set_units(ColumnUnits units = ColumnUnits::kOwn) { fixed_.set(columns_, costs(), greatest_cost(), units); }

  const ColumnSurvey& columns() const { return columns_; }
  const RowExtent& extent() const { return columns_.extent; }
  const FixedColumns& fixed() const { return fixed_; }
  int threads() const { return settings().threads; }
  double label(std::size_t i) const { return cost()[i] < 0 ? -1 : 1; }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    MarginTask::fields(self, archive);
    archive.part(self.columns_);
    archive.loaded(self, [](auto& task) { task.set_units(); });
  }
  void save(ByteWriter& writer) const { write_fields(writer, *this); }
  void load(ByteReader& reader) { read_fields(reader, *this); }

 private:
  ColumnSurvey columns_;
  FixedColumns fixed_;
};

}  // namespace linsep

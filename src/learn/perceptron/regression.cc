// Perceptron regression.
//
// Problem: Predict a number, z = θ·x + θ0, with a small sum of squared residuals Σ(y − z)².
// Method: For each row visited, with e = y − z (start from θ = 0, θ0 = 0):
//   signed   θ += η·e·x, θ0 += η·e    (Widrow & Hoff, "Adaptive switching circuits", 1960)
//   squared  θ += η·e²·x, θ0 += η·e²  the rule as printed in textbooks with η = 1. It loses the residual's sign, so a
//            weight of nonnegative features can only grow.
// With `origin`, θ0 stays 0. Rows of weight 0 are left out, and other weights play no part.
//
// Stops: At the end of a pass whose Σe², each e taken before its row's correction, is at most `residual-bound`.
// A rate too large for the data (signed: η·‖x‖² above 2) makes θ overflow. The pass in which Σe² ceases to be a finite
// number is undone, its residual is reported as infinite, and θ stays as it was before.
//
// Cost of a pass: One dot product and one vector update per row.
// Workers: Each goes over its shard, then all resume from the mean of their θ (`mix`).
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "kernel/kernel.h"
#include "learn/common_options.h"
#include "learn/learners.h"
#include "learn/perceptron/record.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/saved_rows.h"

namespace linsep {
namespace {

class Regression final : public Learner {
 public:
  explicit Regression(const Options& options)
      : squared_(get_text(options, "rule") == "squared"),
        origin_(get_flag(options, "origin")),
        weighted_(get_flag(options, "weighted")),
        rate_(get_number(options, "rate")),
        bound_(get_number(options, "residual-bound")) {}

  void begin(const Shape& shape) override {
    theta_.assign(shape.features, 0.0);
    offset_ = 0;
    sum_ = 0;
    overflowed_ = false;
    remember();
    visits_.begin(theta_, offset_);
  }

  void visit(const Batch& batch) override {
    if (overflowed_) return;
    if (batch.features > theta_.size()) theta_.resize(batch.features);
    for_each_row(batch, [&](const auto& x, std::int64_t i) {
      if (batch.weight_of(i) == 0) return;
      const double e = batch.label[static_cast<std::size_t>(i)] - (dot(x, theta_.data()) + offset_);
      sum_ += e * e;
      const double rate = weighted_ ? rate_ * batch.weight_of(i) : rate_;
      const double step = rate * (squared_ ? e * e : e);
      axpy(step, x, theta_.data());
      if (!origin_) offset_ += step;
      if (visits_.on()) [[unlikely]]
        record(x, batch.label[static_cast<std::size_t>(i)], batch.number_of(i), e);
    });
  }

  void synchronise(Comm& comm) override {
    if (comm.size() == 1) return;
    exact_all_reduce(comm, std::span<double>(&sum_, 1));
    // Without a residual all have the same θ already.
    if (sum_ != 0) mix(comm, theta_, offset_);
  }

  Verdict end_pass(Progress& progress) override {
    if (!overflowed_ && !finite()) {
      overflowed_ = true;
      const std::size_t features = theta_.size();
      theta_ = before_;
      theta_.resize(features);
      offset_ = offset_before_;
      visits_.undo_pass();
    }
    progress.residual = overflowed_ ? std::numeric_limits<double>::infinity() : sum_;
    const bool converged = !overflowed_ && sum_ <= bound_;
    sum_ = 0;
    visits_.end_pass();
    if (!overflowed_) remember();
    return converged ? Verdict::kConverged : Verdict::kContinue;
  }

  Model model() const override {
    Model model;
    model.learner = "regression";
    model.origin = origin_;
    model.regression = true;
    model.features = static_cast<std::uint32_t>(theta_.size());
    const bool sound = finite();  // a run can be stopped in the middle of a pass
    model.theta = sound ? theta_ : before_;
    model.theta.resize(theta_.size());
    model.offset = sound ? offset_ : offset_before_;
    return model;
  }

  TrainingStats stats() const override {
    TrainingStats stats;
    stats.visits = visits_.so_far();
    return stats;
  }
  void record_visits(std::int64_t most) override { visits_.set_most(most); }

  std::string save_state() const override {
    ByteWriter writer;
    writer.text("regression 1");
    writer.numbers(theta_);
    writer.number(offset_);
    writer.number<std::uint8_t>(overflowed_ ? 1 : 0);
    return writer.bytes();
  }
  void load_state(const std::string& bytes) override {
    ByteReader reader(bytes);
    reader.expect("regression 1");
    theta_ = reader.numbers<double>(theta_.size());
    offset_ = reader.finite();
    overflowed_ = reader.flag();
    reader.end();
    sum_ = 0;
    remember();
    visits_.begin(theta_, offset_);
  }

 private:
  template <class Row>
  [[gnu::noinline]] void record(const Row& x, double y, std::int64_t row, double before) {
    RowVisit visit;
    visit.row = row;
    visit.before = before;
    visit.after = y - (dot(x, theta_.data()) + offset_);
    visit.mistake = before != 0;
    visit.theta = theta_;
    visit.offset = offset_;
    visits_.record(std::move(visit));
  }
  bool finite() const {
    if (!std::isfinite(sum_) || !std::isfinite(offset_)) return false;
    for (const double weight : theta_) {
      if (!std::isfinite(weight)) return false;
    }
    return true;
  }
  void remember() {
    before_ = theta_;
    offset_before_ = offset_;
  }

  const bool squared_;
  const bool origin_;
  const bool weighted_;
  const double rate_;
  const double bound_;
  std::vector<double> theta_;
  double offset_ = 0;
  double sum_ = 0;              ///< Σe² of the pass under way
  bool overflowed_ = false;     ///< training has ended in an overflow
  std::vector<double> before_;  ///< θ and θ0 as the pass began
  double offset_before_ = 0;
  Visits visits_;
};

OptionTable regression_options() {
  return {
      passes_option(100),
      order_option(),
      seed_option(),
      origin_option(),
      in_group("objective", choice_option("rule", "signed", {"signed", "squared"},
                                          "Correct by the residual, θ += η·(y − z)·x, or by its square, "
                                          "θ += η·(y − z)²·x.")),
      in_group("objective", positive_option("rate", 0.01, "The learning rate η. Rows of weight 0 are left out.")),
      weighted_option(),
      in_group("stopping", number_option("residual-bound", 0, 0, std::numeric_limits<double>::infinity(),
                                         "Stop after a pass whose sum of squared residuals is at most this.")),
  };
}

}  // namespace

const LearnerEntry& regression_entry() {
  static const LearnerEntry kEntry = {
      .info = {.name = "regression",
               .help = "Perceptron regression: predicts a number; every residual corrects θ.",
               .formula = "θ += η·(y − z)·x and θ0 += η·(y − z) on every row, z = θ·x + θ0",
               .table = regression_options(),
               .regression = true},
      .make = [](const Options& options, const Model* /*start*/, const LearnerRun& /*run*/)
          -> std::unique_ptr<Learner> { return std::make_unique<Regression>(options); },
      .order = order_asked,
      .memory = [](const Options& /*options*/, const Shape& /*shape*/, int /*threads*/,
                   const SolverChoice& /*choice*/) { return MemoryRates{.column = 8 * 8, .least_column = 16}; },
  };
  return kEntry;
}

}  // namespace linsep

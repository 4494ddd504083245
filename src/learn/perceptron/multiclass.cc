// The perceptron of several classes.
//
// Problem: Find θ_c, θ0_c for each class c, so that on every row the right class scores above all others. (Kesler's
// construction, in Duda & Hart, "Pattern classification and scene analysis", 1973; Crammer & Singer, "Ultraconservative
// online algorithms for multiclass problems", 2003.)
//
// Method: For each row visited, z_c = θ_c·x + θ0_c. A mistake is a wrong class w with z_w ≥ z_y. Then for the highest
// of them (the first if several are equal) θ_y += η·x, θ_w −= η·x, and likewise the intercepts (not with `origin`).
//   last      the θ reached.
//   averaged  the mean over all steps, as in perceptron.cc. A mistake at visit t adds (t − 1)·(its change) to u, and
//             mean = (N·θ − u) / N.
// With two classes θ_1 = −θ_0 at all times, and θ_1 is the θ of the perceptron, mistake for mistake.
//
// Stops: At the first pass without a mistake.
//
// Cost of a pass: The values of each row times the number of classes. θ is kept feature by feature, so that the weights
// that a value meets are adjacent in memory.
//
// Workers: As in perceptron.cc. The averaged variant runs on one.
#include "learn/perceptron/multiclass.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "learn/common_options.h"
#include "learn/perceptron/record.h"
#include "linsep/error.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/saved_rows.h"

namespace linsep {
namespace {

class JointPerceptron final : public Learner {
 public:
  JointPerceptron(const Options& options, std::size_t classes)
      : classes_(classes),
        averaged_(get_text(options, "variant") == "averaged"),
        origin_(get_flag(options, "origin")),
        weighted_(get_flag(options, "weighted")),
        rate_(get_number(options, "rate")),
        score_(classes) {
    if (get_text(options, "variant") == "voted") throw usage_error("the voted perceptron is for two classes");
    if (get_flag(options, "trace")) throw usage_error("a trace needs two classes");
    if (!get_numbers(options, "init").empty() || get_number(options, "init-offset") != 0) {
      throw usage_error("with several classes, the perceptron starts from 0");
    }
  }

  void begin(const Shape& shape) override {
    theta_.assign(classes_, 0.0);
    late_.assign(averaged_ ? classes_ : 0, 0.0);
    steps_ = 0;
    mistakes_.begin(shape);
    widen(shape.features);
  }

  void visit(const Batch& batch) override {
    widen(batch.features);
    mistakes_.visit(batch);
    for_each_row(batch, [&](const auto& x, std::int64_t i) {
      if (batch.weight_of(i) == 0) return;
      const double label = batch.label[static_cast<std::size_t>(i)];
      if (!(label >= 0 && label < static_cast<double>(classes_))) {
        throw input_error(fmt::format("row {}: there is no class number {}", batch.number_of(i) + 1, label));
      }
      const auto right = static_cast<std::size_t>(label);
      score(x);
      const std::size_t wrong = best_but(right);
      if (!(score_[right] > score_[wrong])) {  // NaN is a mistake as well
        const double rate = weighted_ ? rate_ * batch.weight_of(i) : rate_;
        correct(x, right, wrong, rate, theta_);
        if (averaged_) correct(x, right, wrong, static_cast<double>(steps_) * rate, late_);
        mistakes_.add(batch.number_of(i));
      }
      ++steps_;
    });
  }

  void synchronise(Comm& comm) override {
    if (comm.size() == 1) return;
    if (averaged_) throw usage_error("the averaged perceptron of several classes runs on one worker");
    mistakes_.synchronise(comm);
    const auto most = all_reduce_max(comm, static_cast<std::int64_t>(theta_.size()));
    theta_.resize(static_cast<std::size_t>(most));
    double none = 0;
    if (mistakes_.in_pass() > 0) mix(comm, theta_, none);
  }

  Verdict end_pass(Progress& progress) override {
    progress.mistakes = mistakes_.end_pass();
    return *progress.mistakes == 0 ? Verdict::kConverged : Verdict::kContinue;
  }

  Model model() const override {
    Model model;
    model.learner = "perceptron";
    model.form = Model::Form::kClasses;
    model.origin = origin_;
    const std::size_t features = theta_.size() / classes_ - 1;
    model.features = static_cast<std::uint32_t>(features);
    model.theta.resize(classes_ * features);
    model.offsets.resize(classes_);
    for (std::size_t c = 0; c < classes_; ++c) {
      model.offsets[c] = weight(c);
      for (std::size_t j = 0; j < features; ++j) model.theta[c * features + j] = weight((j + 1) * classes_ + c);
    }
    return model;
  }

  TrainingStats stats() const override {
    TrainingStats stats;
    mistakes_.report(stats);
    return stats;
  }

  std::string save_state() const override {
    ByteWriter writer;
    writer.text("joint perceptron 1");
    writer.numbers(theta_);
    writer.numbers(late_);
    writer.number(steps_);
    mistakes_.save(writer);
    return writer.bytes();
  }

  void load_state(const std::string& bytes) override {
    ByteReader reader(bytes);
    reader.expect("joint perceptron 1");
    theta_ = reader.numbers<double>(theta_.size());
    late_ = reader.numbers<double>(late_.size());
    steps_ = reader.count();
    mistakes_.load(reader);
    reader.end();
  }

 private:
  void widen(std::size_t features) {
    const std::size_t size = (features + 1) * classes_;
    if (size > theta_.size()) theta_.resize(size);
    if (averaged_) late_.resize(theta_.size());
  }

  template <class Row>
  void score(const Row& x) {
    std::copy_n(theta_.data(), classes_, score_.data());
    for_each_entry(x, [&](std::uint32_t column, double value) {
      const double* theta = theta_.data() + (std::size_t{column} + 1) * classes_;
      for (std::size_t c = 0; c < classes_; ++c) score_[c] += value * theta[c];
    });
  }

  std::size_t best_but(std::size_t right) const {
    std::size_t best = right == 0 ? 1 : 0;
    for (std::size_t c = best + 1; c < classes_; ++c) {
      if (c != right && score_[c] > score_[best]) best = c;
    }
    return best;
  }

  template <class Row>
  void correct(const Row& x, std::size_t right, std::size_t wrong, double step, std::vector<double>& theta) const {
    const auto move = [&](std::size_t feature, double by) {
      theta[feature * classes_ + right] += by;
      theta[feature * classes_ + wrong] -= by;
    };
    for_each_entry(x, [&](std::uint32_t column, double value) { move(std::size_t{column} + 1, step * value); });
    if (!origin_) move(0, step);
  }

  double weight(std::size_t at) const {
    if (!averaged_ || steps_ == 0) return theta_[at];
    const auto steps = static_cast<double>(steps_);
    return (steps * theta_[at] - late_[at]) / steps;
  }

  const std::size_t classes_;
  const bool averaged_, origin_;
  const bool weighted_;
  const double rate_;
  std::vector<double> theta_;  ///< the intercepts of all classes, then the weights of the first feature in all, …
  std::vector<double> late_;   ///< averaged: u
  std::vector<double> score_;  ///< of the current row
  std::int64_t steps_ = 0;     ///< rows visited
  MistakeCount mistakes_;
};

}  // namespace

std::unique_ptr<Learner> make_joint_perceptron(const Options& options, std::size_t classes, const LearnerRun& /*run*/) {
  return std::make_unique<JointPerceptron>(options, classes);
}

}  // namespace linsep

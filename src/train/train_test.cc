#include "linsep/train.h"

#include <gtest/gtest.h>

#include "linsep/error.h"
#include "linsep/read.h"

namespace linsep {
namespace {

// Four rows of one feature as a source.
class FourRows : public ::testing::Test {
 protected:
  void SetUp() override {
    batch_.rows = 4;
    batch_.features = 1;
    batch_.dense = true;
    batch_.stride = 1;
    batch_.value32 = value_;
    batch_.label = label_;
    source_ = view(batch_, {.classes = {"-1", "1"}, .feature_names = {}});
  }

  const std::vector<float> value_ = {-2, -1, 1, 2};
  const std::vector<double> label_ = {-1, -1, 1, 1};
  Batch batch_;
  std::unique_ptr<Source> source_;
  std::unique_ptr<Comm> comm_ = solo();
};

// Records every call of the loop, and converges after `passes` passes.
class Scribe : public Pass {
 public:
  explicit Scribe(std::int64_t passes) : wanted_(passes) {}
  void begin(const Shape& shape) override { calls += "begin(" + std::to_string(shape.rows) + ") "; }
  void visit(const Batch& batch) override { calls += "visit(" + std::to_string(batch.rows) + ") "; }
  void synchronise(Comm&) override { calls += "synchronise "; }
  Verdict end_pass(Progress& progress) override {
    calls += "end_pass ";
    progress.mistakes = progress.pass;
    return progress.pass >= wanted_ ? Verdict::kConverged : Verdict::kContinue;
  }

  std::string calls;

 private:
  std::int64_t wanted_;
};

TEST_F(FourRows, TheLoopCallsEachStationInOrder) {
  Scribe scribe(2);
  const PassOutcome outcome = run_passes(*source_, scribe, {}, *comm_);
  EXPECT_EQ(scribe.calls, "begin(4) visit(4) synchronise end_pass visit(4) synchronise end_pass ");
  EXPECT_EQ(outcome.reason, StopReason::kConverged);
  EXPECT_EQ(outcome.passes, 2);
  ASSERT_EQ(outcome.history.size(), 2U);
  EXPECT_EQ(outcome.history[1].mistakes, 2);
}

TEST_F(FourRows, RunsOutOfPassesAndSaysSo) {
  Scribe scribe(10);
  TrainOptions options;
  options.max_passes = 3;
  const PassOutcome outcome = run_passes(*source_, scribe, options, *comm_);
  EXPECT_EQ(outcome.reason, StopReason::kPasses);
  EXPECT_EQ(outcome.passes, 3);
}

// Asks for two more passes when the run is to end.
class LastWords : public Scribe {
 public:
  using Scribe::Scribe;
  std::int64_t passes_to_finish() override {
    calls += "finish ";
    return 2;
  }
};

TEST_F(FourRows, APassThatHasToFinishGetsThePassesItAsksFor) {
  LastWords last(10);
  TrainOptions options;
  double now = 0;
  options.clock = [&now] { return now; };
  options.time_limit = 1;
  const PassOutcome outcome = run_passes(*source_, last, options, *comm_, [&](const Progress& progress) {
    if (progress.pass == 2) now = 1.1;
  });
  EXPECT_EQ(
      last.calls,
      "begin(4) visit(4) synchronise end_pass visit(4) finish synchronise end_pass visit(4) synchronise end_pass ");
  EXPECT_EQ(outcome.reason, StopReason::kTime);
  EXPECT_EQ(outcome.passes, 3);
}

TEST_F(FourRows, APassThatConvergesWhileItFinishesHasConverged) {
  LastWords last(2);
  TrainOptions options;
  double now = 0;
  options.clock = [&now] { return now; };
  options.time_limit = 1;
  const auto observe = [&](const Progress&) { now = 1.1; };
  EXPECT_EQ(run_passes(*source_, last, options, *comm_, observe).reason, StopReason::kConverged);
}

TEST_F(FourRows, PassesThatFinishEndHalfASecondAfterTheTimeIsUp) {
  LastWords last(10);
  TrainOptions options;
  double now = 0;
  options.clock = [&now] { return now; };
  options.time_limit = 1;
  const PassOutcome outcome = run_passes(*source_, last, options, *comm_,
                                         [&](const Progress& progress) { now = progress.pass == 2 ? 1.5 : 1; });
  EXPECT_EQ(last.calls, "begin(4) visit(4) finish synchronise end_pass visit(4) ");
  EXPECT_EQ(outcome.reason, StopReason::kTime);
  EXPECT_EQ(outcome.passes, 1);
}

TEST_F(FourRows, PassesThatFinishAreBegunEarlyEnoughToEndWithTheTime) {
  LastWords last(100);
  TrainOptions options;
  double now = 0;
  options.clock = [&now] { return now; };
  options.time_limit = 10;
  const PassOutcome outcome = run_passes(*source_, last, options, *comm_, [&](const Progress& progress) {
    if (!progress.pass_ended) now += 1;  // the duration of a pass
  });
  EXPECT_EQ(outcome.reason, StopReason::kTime);
  EXPECT_EQ(outcome.passes, 10);
  EXPECT_LE(now, 10);
}

// Checks within a visit whether it is to stop, as a long one does.
class LongVisit : public Scribe {
 public:
  using Scribe::Scribe;
  void set_stop(const StopFunction& stop) override { stop_ = stop; }
  void visit(const Batch& batch) override {
    Scribe::visit(batch);
    while (stop_ && !stop_()) continue;
  }

 private:
  StopFunction stop_;
};

TEST_F(FourRows, ALongVisitIsToldToStop) {
  LongVisit visit(10);
  TrainOptions options;
  double now = 0;
  options.clock = [&now] { return now += 0.01; };
  options.time_limit = 1;
  const PassOutcome outcome = run_passes(*source_, visit, options, *comm_);
  EXPECT_EQ(visit.calls, "begin(4) visit(4) ");
  EXPECT_EQ(outcome.reason, StopReason::kTime);
  EXPECT_LT(now, 1.6);
}

TEST_F(FourRows, ATimeLimitEndsTheRunWithinAPass) {
  Scribe scribe(10);
  TrainOptions options;
  double now = 0;
  options.clock = [&now] { return now += 1; };
  options.time_limit = 4;
  const PassOutcome outcome = run_passes(*source_, scribe, options, *comm_);
  EXPECT_EQ(outcome.reason, StopReason::kTime);
  EXPECT_LT(outcome.passes, 4);
}

TEST_F(FourRows, AnInterruptEndsTheRunWithoutEndingThePass) {
  Scribe scribe(10);
  const std::atomic<bool> interrupt = true;
  TrainOptions options;
  options.interrupt = &interrupt;
  const PassOutcome outcome = run_passes(*source_, scribe, options, *comm_);
  EXPECT_EQ(outcome.reason, StopReason::kInterrupted);
  EXPECT_EQ(scribe.calls, "begin(4) visit(4) ");
  EXPECT_EQ(outcome.passes, 0);
}

TEST_F(FourRows, TheObserverHearsOfBatchesAndOfEndedPasses) {
  Scribe scribe(2);
  int batches = 0, passes = 0;
  run_passes(*source_, scribe, {}, *comm_, [&](const Progress& progress) {
    EXPECT_EQ(progress.rows_in_all, 4);
    ++(progress.pass_ended ? passes : batches);
  });
  EXPECT_EQ(batches, 2);
  EXPECT_EQ(passes, 2);
}

// Counts rows, and calls that a model.
class Counter : public Learner {
 public:
  void begin(const Shape&) override {}
  void visit(const Batch& batch) override { rows_ += batch.rows; }
  void synchronise(Comm&) override {}
  Verdict end_pass(Progress&) override { return Verdict::kConverged; }
  Model model() const override {
    Model model;
    model.offset = static_cast<double>(rows_);
    return model;
  }
  TrainingStats stats() const override {
    TrainingStats stats;
    stats.mistakes = rows_;
    return stats;
  }
  std::string save_state() const override { return {}; }
  void load_state(const std::string&) override {}

 private:
  std::int64_t rows_ = 0;
};

TEST_F(FourRows, TrainAddsTheModelAndTheStats) {
  Counter counter;
  const Outcome outcome = train(*source_, counter, {}, *comm_);
  EXPECT_EQ(outcome.reason, StopReason::kConverged);
  EXPECT_EQ(outcome.passes, 1);
  EXPECT_EQ(outcome.history.size(), 1U);
  EXPECT_EQ(outcome.model.offset, 4);
  EXPECT_EQ(outcome.model.schema.classes, (std::vector<std::string>{"-1", "1"}));
  EXPECT_EQ(outcome.stats.mistakes, 4);
}

TEST_F(FourRows, FitCompletesTheModel) {
  TrainSpec spec;
  spec.learner = "perceptron";
  spec.map = {FeatureMap::Kind::kPolynomial, 2};
  const Outcome outcome = fit(*source_, spec, {}, *comm_);
  EXPECT_EQ(outcome.model.learner, "perceptron");
  EXPECT_EQ(outcome.model.features, 1U);
  EXPECT_EQ(outcome.model.theta.size(), 2U);
  EXPECT_EQ(outcome.model.map, spec.map);
  EXPECT_EQ(outcome.model.schema.classes, (std::vector<std::string>{"-1", "1"}));
  EXPECT_TRUE(outcome.model.options.contains("rate"));
}

TEST_F(FourRows, FitRefusesWhatItDoesNotKnow) {
  TrainSpec spec;
  spec.learner = "perceptrn";
  try {
    fit(*source_, spec, {}, *comm_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "there is no learner 'perceptrn'; did you mean 'perceptron'?");
  }
  spec.learner = "basic";
  spec.options = {{"rate", 1.0}};
  EXPECT_THROW(fit(*source_, spec, {}, *comm_), Error);
}

TEST_F(FourRows, EveryLearnerFitsAndSeparates) {
  for (const LearnerInfo& info : learners()) {
    TrainSpec spec;
    spec.learner = info.name;
    const Outcome outcome = fit(*source_, spec, {}, *comm_);
    EXPECT_EQ(outcome.model.learner, info.name);
    EXPECT_EQ(outcome.model.regression, info.regression);
    if (info.regression) continue;
    EXPECT_EQ(evaluate(*source_, outcome.model).mistakes, 0) << info.name;
  }
}

TEST_F(FourRows, SeveralWorkersAgreeOnOneModel) {
  std::vector<Model> models(3);
  run_threads(3, [&](Comm& comm) {
    const auto mine = view(batch_, {.classes = {"-1", "1"}, .feature_names = {}});
    TrainSpec spec;
    spec.learner = "least-squares";
    models[static_cast<std::size_t>(comm.rank())] = fit(*mine, spec, {}, comm).model;
  });
  EXPECT_EQ(models[0], models[1]);
  EXPECT_EQ(models[0], models[2]);
}

TEST_F(FourRows, ARowOnTheBoundaryIsAMistakeAlthoughItIsPredictedPositive) {
  Model model;
  model.features = 1;
  model.theta = {1};
  model.offset = -1;  // rows −2, −1, 1, 2 have z = −3, −2, 0, 1
  const Evaluation result = evaluate(*source_, model);
  EXPECT_EQ(result.mistakes, 1);
  EXPECT_EQ(result.true_positive, 2);
  EXPECT_EQ(result.true_negative, 2);
}

TEST_F(FourRows, AreaUnderTheCurveCountsPairsAndHalvesTies) {
  Model model;
  model.features = 1;
  model.theta = {1};
  EXPECT_EQ(evaluate(*source_, model, true).area_under_curve, 1.0);
  model.theta = {-1};
  EXPECT_EQ(evaluate(*source_, model, true).area_under_curve, 0.0);
  model.theta = {0};
  EXPECT_EQ(evaluate(*source_, model, true).area_under_curve, 0.5);
}

}  // namespace
}  // namespace linsep

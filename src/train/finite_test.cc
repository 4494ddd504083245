// Weights and scores that aren't finite lead to errors and counts, never to answers.
#include "train/fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "format/text/test_input.h"
#include "linsep/arrays.h"
#include "linsep/error.h"
#include "linsep/read.h"
#include "linsep/tools/distances.h"

namespace linsep {
namespace {

using test::TempFile;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// x, y and a classifier z = θ·x whose scores are huge.
struct Huge {
  std::vector<double> x = {1e200, 1e200, 1, -1, 2};
  std::vector<double> y = {-1, 1, 1, -1, -1};
  std::unique_ptr<Source> source = label_rows(dense_rows(x, 1), y, false);

  static Model model(double theta) {
    Model model;
    model.learner = "perceptron";
    model.features = 1;
    model.theta = {theta};
    return model;
  }
};

TEST(NotFinite, ScoresAreMistakesAndInNoOtherFigure) {
  const Huge rows;
  const Evaluation result = evaluate(*rows.source, Huge::model(1e200), true);
  EXPECT_EQ(result.rows, 5);
  EXPECT_EQ(result.not_finite, 2);
  EXPECT_EQ(result.mistakes, 3) << "two that aren't finite, one that is wrong";
  EXPECT_EQ(result.true_positive + result.true_negative + result.false_positive + result.false_negative, 3);
  EXPECT_EQ(result.area_under_curve, 0.5);
}

TEST(NotFinite, ProbabilitiesAreThoseOfTheOtherRows) {
  const Huge rows;
  Model model = Huge::model(1e200);
  model.calibration.kind = Calibration::Kind::kSigmoid;
  model.calibration.slope = 1e-200;
  const Evaluation some = evaluate(*rows.source, model);
  ASSERT_TRUE(some.probabilities);
  const std::vector<double> x = {1, -1, 2}, y = {1, -1, -1};
  const auto finite = label_rows(dense_rows(x, 1), y, false);
  const Evaluation others = evaluate(*finite, model);
  EXPECT_EQ(some.probabilities->log_loss, others.probabilities->log_loss);
  EXPECT_EQ(some.probabilities->brier, others.probabilities->brier);
}

TEST(NotFinite, SquaresOfARegressionAreThoseOfTheOtherRows) {
  const Huge rows;
  Model model = Huge::model(1e200);
  model.regression = true;
  model.theta = {1e200};
  const std::vector<double> x = {1e200, 0}, y = {1, 3};
  const auto source = label_rows(dense_rows(x, 1), y, true);
  const Evaluation result = evaluate(*source, model);
  EXPECT_EQ(result.not_finite, 1);
  EXPECT_EQ(result.sum_of_squares, 9);
}

TEST(NotFinite, AreCountedOverAllWorkers) {
  const TempFile file("-1 1:1e200\n1 1:1e200\n1 1:1\n-1 1:-1\n-1 1:2\n");
  const std::vector<std::string> paths{file.path()};
  ReadOptions options;
  options.double_values = true;
  for (const int workers : {1, 2, 3}) {
    run_threads(workers, [&](Comm& comm) {
      const auto shard = load(paths, options, comm);
      const Evaluation result = evaluate(*shard, Huge::model(1e200), true, comm);
      EXPECT_EQ(result.not_finite, 2);
      EXPECT_EQ(result.mistakes, 3);
      EXPECT_EQ(result.area_under_curve, 0.5);
    });
  }
}

TEST(NotFinite, ADistanceThatIsNoneIsAMistakeAndTheLeast) {
  const std::vector<double> x = {1, 0, 0, 1, 1e308, -1e308}, y = {1, 1, -1};
  const auto source = label_rows(dense_rows(x, 2), y, false);
  Model model = Huge::model(1e10);
  model.features = 2;
  model.theta = {1e10, 1e10};
  const Distances found = measure_distances(*source, model, 0);
  ASSERT_TRUE(std::isnan(found.margin[2]));
  EXPECT_EQ(found.mistakes, 1);
  EXPECT_EQ(found.inside, 1);
  EXPECT_EQ(found.least_row, 2);
}

TrainSpec perceptron(double rate) {
  TrainSpec spec;
  spec.learner = "perceptron";
  spec.options = {{"rate", rate}};
  return spec;
}

TEST(NotFinite, WeightsAreAnErrorThatNamesTheRateAndTheWidestColumn) {
  const std::vector<double> x = {3, 1, 3, -1, -2, 4, 5, -7};
  const std::vector<double> y = {1, -1, 1, -1};
  try {
    fit(dense_rows(x, 2), y, perceptron(1e308));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kInput);
    EXPECT_EQ(error.option(), "rate");
    EXPECT_NE(error.reason().find("column 'x2' goes from -7 to 4"), std::string::npos) << error.reason();
  }
  EXPECT_NO_THROW(fit(dense_rows(x, 2), y, perceptron(1)));
}

TEST(NotFinite, WeightsAreTheSameErrorOnEveryWorker) {
  const TempFile file("1 1:3 2:1\n-1 1:3 2:-1\n1 1:-2 2:4\n-1 1:5 2:-7\n1 1:1 2:1\n-1 1:1 2:2\n");
  const std::vector<std::string> paths{file.path()};
  run_threads(3, [&](Comm& comm) {
    const auto shard = load(paths, {}, comm);
    EXPECT_THROW(fit(*shard, perceptron(1e308), {}, comm), Error);
  });
}

TEST(NotFinite, AnObjectiveIsAnErrorToo) {
  const Huge rows;
  Outcome outcome;
  outcome.model = Huge::model(1);
  EXPECT_NO_THROW(require_finite(outcome, learner_info("margin"), *rows.source, *solo()));
  outcome.history.emplace_back().objective = kInfinity;
  EXPECT_THROW(require_finite(outcome, learner_info("margin"), *rows.source, *solo()), Error);
  outcome.history.clear();
  outcome.parts.emplace_back().objective = std::nan("");
  EXPECT_THROW(require_finite(outcome, learner_info("margin"), *rows.source, *solo()), Error);
}

}  // namespace
}  // namespace linsep

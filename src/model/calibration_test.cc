#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "linsep/error.h"
#include "model/check.h"
#include "model/examples_test.h"

namespace linsep {
namespace {

TEST(Probability, OfASigmoidIsTheLogisticFunctionOfSlopeTimesScorePlusOffset) {
  const Calibration calibration = sigmoid_example().calibration;  // 2z − 0.5
  EXPECT_DOUBLE_EQ(positive_probability(calibration, 0.25), 0.5);
  for (const double z : {-3.0, -0.5, 0.0, 1.0, 4.0}) {
    EXPECT_NEAR(positive_probability(calibration, z), 1 / (1 + std::exp(-(2 * z - 0.5))), 1e-15) << z;
  }
}

TEST(Probability, OfASigmoidKeepsItsDigitsFarOut) {
  const Calibration calibration = sigmoid_example().calibration;
  EXPECT_NEAR(positive_probability(calibration, -300) / std::exp(-600.5), 1, 1e-12);
  EXPECT_EQ(positive_probability(calibration, 1e300), 1);
  EXPECT_EQ(positive_probability(calibration, -1e300), 0);
}

TEST(Probability, OfKnotsIsLinearBetweenThemAndConstantOutside) {
  const Calibration calibration = isotonic_example().calibration;
  EXPECT_EQ(positive_probability(calibration, -100), 0.125);
  EXPECT_EQ(positive_probability(calibration, -2), 0.125);
  EXPECT_EQ(positive_probability(calibration, -1), 0.125);
  EXPECT_EQ(positive_probability(calibration, 1), 0.5);
  EXPECT_EQ(positive_probability(calibration, 2), 0.75);
  EXPECT_EQ(positive_probability(calibration, 3), 1);
  EXPECT_EQ(positive_probability(calibration, 100), 1);
}

TEST(Probability, OfKnotsAtBothEndsOfTheRangeIsANumber) {
  Calibration calibration = isotonic_example().calibration;
  const double most = std::numeric_limits<double>::max();
  calibration.score = {-most, most};
  calibration.probability = {0.25, 0.75};
  EXPECT_DOUBLE_EQ(positive_probability(calibration, 0), 0.5);
}

TEST(LogLoss, IsMinusTheLogarithmOfTheTrueClasssProbability) {
  for (const Calibration& calibration : {sigmoid_example().calibration, isotonic_example().calibration}) {
    for (const double z : {-1.0, 0.0, 0.7, 2.0}) {
      const double p = positive_probability(calibration, z);
      EXPECT_NEAR(log_loss(calibration, z, 1), -std::log(p), 1e-14) << z;
      EXPECT_NEAR(log_loss(calibration, z, -1), -std::log(1 - p), 1e-14) << z;
    }
  }
}

TEST(LogLoss, IsNeverInfinite) {
  EXPECT_NEAR(log_loss(isotonic_example().calibration, 5, -1), 1022 * std::log(2), 1e-9);
  EXPECT_TRUE(std::isfinite(log_loss(sigmoid_example().calibration, 1e300, -1)));
  EXPECT_NEAR(log_loss(sigmoid_example().calibration, 100, -1), 199.5, 1e-9);
}

TEST(Calibration, ThatMakesNoSenseIsAProblemOfTheModel) {
  const auto problem = [](const auto& change, Model model = isotonic_example()) {
    change(model);
    return problem_of(model);
  };
  EXPECT_EQ(problem([](Model&) {}), "");
  EXPECT_NE(problem([](Model& m) { m.calibration.score[1] = -2; }), "");
  EXPECT_NE(problem([](Model& m) { m.calibration.probability[1] = 0.1; }), "");
  EXPECT_NE(problem([](Model& m) { m.calibration.probability[3] = 1.5; }), "");
  EXPECT_NE(problem([](Model& m) { m.calibration.score.pop_back(); }), "");
  EXPECT_NE(problem([](Model& m) { m.calibration.score = m.calibration.probability = {}; }), "");
  EXPECT_NE(problem([](Model& m) { m.calibration.slope = 2; }), "");
  EXPECT_NE(problem([](Model& m) { m.calibration.slope = INFINITY; }, sigmoid_example()), "");
  EXPECT_NE(problem([](Model& m) { m.calibration.kind = Calibration::Kind::kNone; }, sigmoid_example()), "");
}

TEST(Calibration, OfARegressionIsRefused) {
  Model model = sigmoid_example();
  model.regression = true;
  model.schema = {};
  EXPECT_EQ(problem_of(model), "a regression has no probabilities");
}

}  // namespace
}  // namespace linsep

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "linsep/error.h"
#include "model/examples_test.h"
#include "model/model.h"

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

std::vector<double> probabilities_of(const Model& model, const std::vector<double>& z) {
  std::vector<double> p(z.size());
  probabilities(model, z, p);
  return p;
}

TEST(ProbabilitiesOfClasses, BySoftmaxArePowersOfEDividedByTheirSum) {
  const std::vector<double> z = {0, std::log(2.0), std::log(5.0)};
  const std::vector<double> p = probabilities_of(softmax_example(), z);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(p[c], std::exp(z[c]) / 8, 1e-15) << c;
}

TEST(ProbabilitiesOfClasses, BySoftmaxStayNumbersFarOut) {
  EXPECT_EQ(probabilities_of(softmax_example(), {1e300, -1e300, 1e300}), (std::vector<double>{0.5, 0, 0.5}));
  const std::vector<double> p = probabilities_of(softmax_example(), {-700, 0, 700});
  EXPECT_NEAR(p[1] / std::exp(-700.0), 1, 1e-12);
  EXPECT_TRUE(std::isfinite(class_log_loss(p, 0)));
}

TEST(ProbabilitiesOfClasses, EachCalibratedAreDividedByTheirSum) {
  const Model model = calibrated(classes_example());
  const std::vector<double> z = {0.25, 1, 0.25, 9, -100, -9};  // two rows
  const std::vector<double> p = probabilities_of(model, z);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(p[c], 1.0 / 3, 1e-15);  // ½ each, before
  EXPECT_NEAR(p[3] + p[4] + p[5], 1, 1e-15);
  EXPECT_NEAR(p[4] / p[3], 0.125, 1e-7);
}

TEST(ProbabilitiesOfClasses, AreEqualSharesWhereAllAreZero) {
  Model model = calibrated(classes_example());
  model.calibrations[1] = model.calibrations[0];
  EXPECT_EQ(probabilities_of(model, {-1e300, -1e300, -1e300}), std::vector<double>(3, 1.0 / 3));
}

TEST(ProbabilitiesOfLabels, AreEachColumnsOwn) {
  const Model model = calibrated(labels_example());
  EXPECT_EQ(probabilities_of(model, {0.25, 1, 0.25, 3}), (std::vector<double>{0.5, 0.5, 0.5, 1}));
}

TEST(ProbabilitiesOfClasses, OfAModelWithoutAnyAreRefusedWithWhatToDo) {
  EXPECT_FALSE(has_probabilities(classes_example()));
  for (const Model& model : {softmax_example(), calibrated(classes_example()), calibrated(labels_example())}) {
    EXPECT_TRUE(has_probabilities(model));
  }
  std::vector<double> p(3);
  try {
    probabilities(classes_example(), p, p);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.spelled("--", ""),
              "this model has no probabilities: train it with --loss logistic or softmax, or with --probabilities");
  }
}

TEST(LogLossOfClasses, IsMinusTheLogarithmOfTheOwnClasssProbabilityAndNeverInfinite) {
  const std::vector<double> p = {0.25, 0.75, 0};
  EXPECT_DOUBLE_EQ(class_log_loss(p, 0), std::log(4));
  EXPECT_NEAR(class_log_loss(p, 2), 1022 * std::log(2), 1e-9);
}

TEST(CalibrationOfClasses, ThatMakesNoSenseIsAProblemOfTheModel) {
  const auto problem = [](Model model, const auto& change) {
    change(model);
    return problem_of(model);
  };
  const Model classes = calibrated(classes_example());
  EXPECT_EQ(problem_of(classes), "");
  EXPECT_EQ(problem_of(softmax_example()), "");
  EXPECT_NE(problem(classes, [](Model& m) { m.calibrations.pop_back(); }), "");
  EXPECT_NE(problem(classes, [](Model& m) { m.calibrations[0].kind = Calibration::Kind::kNone; }), "");
  EXPECT_NE(problem(classes, [](Model& m) { m.calibrations[0] = softmax_example().calibration; }), "");
  EXPECT_NE(problem(classes, [](Model& m) { m.calibrations[1].probability[0] = 2; }), "");
  EXPECT_NE(problem(classes, [](Model& m) { m.calibration = softmax_example().calibration; }), "");
  EXPECT_NE(problem(classes, [](Model& m) { m.calibration = sigmoid_example().calibration; }), "");
  EXPECT_NE(problem(softmax_example(), [](Model& m) { m.calibration.slope = 2; }), "");
  EXPECT_NE(problem(labels_example(), [](Model& m) { m.calibration = softmax_example().calibration; }), "");
  EXPECT_NE(problem(linear_example(), [](Model& m) { m.calibration = softmax_example().calibration; }), "");
  EXPECT_NE(problem(linear_example(), [](Model& m) { m.calibrations.resize(1); }), "");
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

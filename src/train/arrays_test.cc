#include "linsep/arrays.h"

#include <gtest/gtest.h>

#include <limits>

#include "linsep/error.h"
#include "linsep/read.h"
#include "linsep/specs.h"

namespace linsep {
namespace {

const std::vector<double> kCorners = {0, 0, 0, 1, 1, 0, 1, 1};
const std::vector<double> kAnd = {-1, -1, -1, 1};
const std::vector<std::string> kAndWords = {"no", "no", "no", "yes"};

using Words = std::vector<std::string>;

TEST(Arrays, AreTrainedOnAndPredictedInOneCallEach) {
  const Batch x = dense_rows(kCorners, 2);
  const Outcome outcome = fit(x, kAndWords, Perceptron{});
  EXPECT_EQ(outcome.reason, StopReason::kConverged);
  EXPECT_EQ(predict(outcome.model, x), kAndWords);
  EXPECT_EQ(predict(fit(x, kAnd, Perceptron{}).model, x), (Words{"-1", "-1", "-1", "1"}));
}

TEST(Arrays, GiveTheSameModelAsASource) {
  const Batch x = dense_rows(kCorners, 2);
  Batch labelled = x;
  labelled.label = kAnd;
  const auto source = view(labelled, {.classes = {"-1", "1"}, .feature_names = {}});
  for (const TrainSpec& spec : {TrainSpec(Perceptron{}), TrainSpec(Margin{.C = 10}), TrainSpec(LeastSquares{})}) {
    EXPECT_EQ(fit(x, kAnd, spec).model, fit(*source, spec, {}, *solo()).model) << spec.learner;
  }
}

TEST(Arrays, EveryLayoutGivesTheSameModel) {
  const std::vector<float> floats(kCorners.begin(), kCorners.end());
  const std::vector<std::uint64_t> start = {0, 0, 1, 2, 4};
  const std::vector<std::uint32_t> column = {1, 0, 0, 1};
  const std::vector<double> ones(4, 1.0);
  const std::vector<float> float_ones(4, 1.0F);
  const Model model = fit(dense_rows(kCorners, 2), kAnd).model;
  EXPECT_EQ(fit(dense_rows(floats, 2), kAnd).model, model);
  EXPECT_EQ(fit(sparse_rows(start, column, ones, 2), kAnd).model, model);
  EXPECT_EQ(fit(sparse_rows(start, column, float_ones, 2), kAnd).model, model);
}

TEST(Arrays, MoreThanTwoClassesArePredictedByName) {
  const Words y = {"b", "a", "c", "c"};
  const Batch x = dense_rows(kCorners, 2);
  const Model model = fit(x, y, Perceptron{.passes = 1000, .multiclass = Perceptron::Multiclass::kJoint}).model;
  EXPECT_EQ(model.schema.classes, (Words{"a", "b", "c"}));
  EXPECT_EQ(predict(model, x), y);
}

TEST(Arrays, ARegressionIsTrainedOnNumbers) {
  const std::vector<double> y = {0, 1, 2, 3};
  const Batch x = dense_rows(kCorners, 2);
  const Model model = fit(x, y, Regression{.passes = 2000, .rate = 0.1}).model;
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(scores(model, x)[i], y[i], 1e-3);
  EXPECT_THROW(predict(model, x), Error);
  EXPECT_THROW(fit(x, kAndWords, Regression{}), Error);
}

TEST(Arrays, AreCertifiedAndTheCertificateVerified) {
  const std::vector<double> exclusive_or = {-1, 1, 1, -1};
  const Batch x = dense_rows(kCorners, 2);
  EXPECT_EQ(certify(x, kAnd).certificate.claim, Claim::kSeparable);
  CertifyOutcome outcome = certify(x, exclusive_or);
  EXPECT_EQ(outcome.certificate.claim, Claim::kOverlapping);
  const auto source = label_rows(x, exclusive_or);
  seal_certificate(outcome.certificate, *source);
  EXPECT_TRUE(verify_certificate(outcome.certificate, nullptr).valid);
  EXPECT_TRUE(verify_certificate(outcome.certificate, source.get()).valid);
  EXPECT_FALSE(verify_certificate(outcome.certificate, label_rows(x, kAnd).get()).valid);
}

TEST(Arrays, NotANumberIsRefusedWithRowAndColumn) {
  std::vector<double> values = kCorners;
  values[5] = std::numeric_limits<double>::quiet_NaN();
  try {
    fit(dense_rows(values, 2), kAnd);
    FAIL() << "NaN was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("row 3, column 2"), std::string::npos) << error.what();
  }
  values[5] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(certify(dense_rows(values, 2), kAnd), Error);
}

TEST(Arrays, WeightsMultiplyCorrectionsWhereAsked) {
  const std::vector<double> x = {1, 1}, y = {1, -1}, weight = {0.5, 2};
  Batch rows = dense_rows(x, 1);
  rows.weight = weight;
  // The first row is a mistake at θ = 0, and after it the second.
  const Model plain = fit(rows, y, Perceptron{.passes = 1}).model;
  EXPECT_EQ(plain.theta[0], 0);
  const Model weighted = fit(rows, y, Perceptron{.passes = 1, .weighted = true}).model;
  EXPECT_EQ(weighted.theta[0], 0.5 - 2);
  EXPECT_EQ(weighted.offset, 0.5 - 2);
  const Model regression = fit(rows, y, Regression{.passes = 1, .rate = 0.5, .weighted = true}).model;
  // Residuals 1 and −1 − 2·0.25.
  EXPECT_EQ(regression.theta[0], 0.25 - 1.5);
}

TEST(Arrays, CopiedIntoVisitingOrderGiveTheSameModel) {
  std::vector<double> x(3000 * 20), y(3000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>((i * 2654435761U) % 1000) / 500 - 1;
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i * 20] + 0.3 * x[i * 20 + 1] > 0.1 ? 1 : -1;
  TrainSpec spec = Margin{.solver = Margin::Solver::kDual};
  const Model there = fit(dense_rows(x, 20), y, spec).model;
  spec.copy_rows = true;
  EXPECT_EQ(fit(dense_rows(x, 20), y, spec).model, there);
}

TEST(Arrays, ThatDontFitAreRefused) {
  EXPECT_THROW(dense_rows(kCorners, 3), Error);
  EXPECT_THROW(dense_rows(kCorners, 0), Error);
  EXPECT_THROW(fit(dense_rows(kCorners, 2), std::vector<double>{1, -1}), Error);
  EXPECT_THROW(sparse_rows({}, {}, std::span<const double>{}, 2), Error);
}

}  // namespace
}  // namespace linsep

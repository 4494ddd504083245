// The hard margin through `fit`: the margin as written, its proof, and what happens to rows that can't be separated.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>

#include "linsep/certificate.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/read.h"
#include "linsep/train.h"
#include "train/certify/oracle.h"

namespace linsep {
namespace {

SmallSet decimals(std::vector<std::vector<std::string>> text, std::vector<int> label) {
  SmallSet set;
  set.features = static_cast<std::uint32_t>(text.front().size());
  set.text = std::move(text);
  set.label = std::move(label);
  return set;
}

Outcome fit_hard(Source& source, Options options = {}, FeatureMap map = {}) {
  TrainSpec spec;
  spec.learner = "margin";
  spec.options = std::move(options);
  spec.options["hard"] = true;
  spec.map = map;
  spec.prove = true;
  return fit(source, spec, {}, *solo());
}

void expect_valid(Outcome& outcome, Source& source) {
  ASSERT_TRUE(outcome.certificate.has_value());
  seal_certificate(*outcome.certificate, source);
  const CheckResult result = verify_certificate(*outcome.certificate, &source);
  EXPECT_TRUE(result.valid) << result.reason;
}

TEST(HardFit, GivesTheMarginOfAndAndAProofOfBothBounds) {
  const SmallSet set = decimals({{"0", "0"}, {"0", "1"}, {"1", "0"}, {"1", "1"}}, {-1, -1, -1, 1});
  SmallSource source(set);
  Outcome outcome = fit_hard(source);
  ASSERT_EQ(outcome.reason, StopReason::kConverged);
  ASSERT_TRUE(outcome.hard_margin.has_value());
  EXPECT_NEAR(outcome.hard_margin->margin, std::sqrt(0.125), 1e-12);
  EXPECT_LE(outcome.hard_margin->margin, std::sqrt(0.125));
  EXPECT_GE(outcome.hard_margin->margin_upper_bound, std::sqrt(0.125));
  EXPECT_NEAR(outcome.model.theta[0], 2, 1e-9);
  EXPECT_NEAR(outcome.model.offset, -3, 1e-9);
  expect_valid(outcome, source);
  EXPECT_TRUE(outcome.certificate->margin.at_least_squared.has_value());
  EXPECT_TRUE(outcome.certificate->margin.at_most_squared.has_value());
}

// 0.1 and 0.3 are no doubles, so the proof must be about the decimals.
TEST(HardFit, TheMarginIsThatOfTheDecimalsAsWritten) {
  const SmallSet set = decimals({{"0.1"}, {"0.3"}}, {-1, 1});
  SmallSource source(set);
  Outcome outcome = fit_hard(source);
  ASSERT_TRUE(outcome.hard_margin.has_value());
  EXPECT_NEAR(outcome.hard_margin->margin, 0.1, 1e-12);
  expect_valid(outcome, source);
  EXPECT_EQ(outcome.certificate->margin.at_most_squared, "0.01") << "half of 0.3 − 0.1, squared, exactly";
}

TEST(HardFit, ThroughTheOriginHasAMarginOfItsOwn) {
  const SmallSet set = decimals({{"3", "4"}, {"-3", "-4"}}, {1, -1});
  SmallSource source(set);
  Outcome outcome = fit_hard(source, {{"origin", true}});
  ASSERT_TRUE(outcome.hard_margin.has_value());
  EXPECT_NEAR(outcome.hard_margin->margin, 5, 1e-9);
  EXPECT_EQ(outcome.model.offset, 0);
  expect_valid(outcome, source);
}

TEST(HardFit, OverlappingRowsEndWithTheirWitness) {
  const SmallSet set = decimals({{"0", "0"}, {"0", "1"}, {"1", "0"}, {"1", "1"}}, {-1, 1, 1, -1});
  SmallSource source(set);
  Outcome outcome = fit_hard(source);
  EXPECT_EQ(outcome.reason, StopReason::kInseparable);
  EXPECT_FALSE(outcome.hard_margin.has_value());
  expect_valid(outcome, source);
  EXPECT_EQ(outcome.certificate->claim, Claim::kOverlapping);
  EXPECT_EQ(outcome.certificate->witness.size(), 4U);
}

TEST(HardFit, QuasiSeparableRowsAreNotSeparable) {
  const SmallSet set = decimals({{"0"}, {"1"}, {"1"}, {"2"}}, {-1, -1, 1, 1});
  SmallSource source(set);
  Outcome outcome = fit_hard(source);
  EXPECT_EQ(outcome.reason, StopReason::kInseparable);
  expect_valid(outcome, source);
  EXPECT_EQ(outcome.certificate->claim, Claim::kQuasiSeparable);
}

TEST(HardFit, AMapCanMakeRowsSeparable) {
  const SmallSet set = decimals({{"0", "0"}, {"0", "1"}, {"1", "0"}, {"1", "1"}}, {-1, 1, 1, -1});
  SmallSource source(set);
  FeatureMap products;
  products.kind = FeatureMap::Kind::kProducts;
  Outcome outcome = fit_hard(source, {}, products);
  ASSERT_TRUE(outcome.hard_margin.has_value());
  EXPECT_EQ(outcome.model.theta.size(), 3U);
  expect_valid(outcome, source);
}

TEST(HardFit, OneClassHasNoMargin) {
  const SmallSet set = decimals({{"0"}, {"1"}}, {1, 1});
  SmallSource source(set);
  Outcome outcome = fit_hard(source);
  EXPECT_EQ(outcome.reason, StopReason::kConverged);
  EXPECT_FALSE(outcome.hard_margin.has_value());
  EXPECT_EQ(outcome.model.offset, 1);
  expect_valid(outcome, source);
}

// A clock that advances by itself. Wherever the run is when time is out, it ends with a model of the right size.
TEST(HardFit, OutOfTimeIsAnEndLikeOthers) {
  const SmallSet set = decimals({{"0", "0"}, {"0", "1"}, {"1", "0"}, {"1", "1"}}, {-1, -1, -1, 1});
  constexpr double kTick = 0.02;
  bool separated = false;
  for (double limit = kTick; limit < 200 * kTick; limit += kTick) {
    SmallSource source(set);
    TrainSpec spec;
    spec.learner = "margin";
    spec.options["hard"] = true;
    spec.options["gap"] = 1e-300;
    TrainOptions limits;
    double now = 0;
    limits.clock = [&now] { return now += kTick; };
    limits.time_limit = limit;
    const Outcome outcome = fit(source, spec, limits, *solo());
    EXPECT_TRUE(outcome.reason == StopReason::kTime || outcome.reason == StopReason::kStalled) << limit;
    EXPECT_EQ(outcome.model.theta.size(), 2U);
    separated = separated || (outcome.reason == StopReason::kTime && outcome.hard_margin.has_value());
  }
  EXPECT_TRUE(separated) << "the separator of the moment counts";
}

// Time is out as soon as training begins. By then certify has found a separator, and training none.
TEST(HardFit, OutOfTimeTheSeparatorOfCertifyIsTheModel) {
  const SmallSet set = decimals({{"0", "0"}, {"0", "1"}, {"1", "0"}, {"1", "1"}}, {-1, -1, -1, 1});
  SmallSource source(set);
  TrainSpec spec;
  spec.learner = "margin";
  spec.options["hard"] = true;
  spec.prove = true;
  TrainOptions limits;
  double now = 0;
  limits.clock = [&now] { return now; };
  limits.time_limit = 1;
  Outcome outcome = fit(source, spec, limits, *solo(), [&](const Progress& progress) {
    if (progress.phase == Phase::kTraining) now = 100;
  });
  EXPECT_EQ(outcome.reason, StopReason::kTime);
  ASSERT_TRUE(outcome.hard_margin.has_value());
  EXPECT_GT(outcome.hard_margin->margin, 0);
  EXPECT_LE(outcome.hard_margin->margin, std::sqrt(0.125));
  EXPECT_GE(outcome.hard_margin->margin_upper_bound, std::sqrt(0.125));
  EXPECT_LE(outcome.hard_margin->margin_upper_bound, std::sqrt(2) * 1.0001) << "the longest row";
  for (std::size_t i = 0; i < set.text.size(); ++i) {
    const double z = outcome.model.offset + outcome.model.theta[0] * std::stod(set.text[i][0]) +
                     outcome.model.theta[1] * std::stod(set.text[i][1]);
    EXPECT_GE(set.label[i] * z, 1 - 1e-9);
  }
  expect_valid(outcome, source);
}

TEST(HardFit, RefusesALossOfItsOwn) {
  const SmallSet set = decimals({{"0"}, {"1"}}, {-1, 1});
  SmallSource source(set);
  EXPECT_THROW(fit_hard(source, {{"C", 10.0}}), Error);
  EXPECT_THROW(fit_hard(source, {{"loss", std::string("logistic")}}), Error);
}

// A run to a gap of 10⁻⁶ or less agrees with these figures.
TEST(HardFitOnPublicData, IsReachedToTheGapAskedFor) {
  const char* folder = std::getenv("LINSEP_DATA");
  if (folder == nullptr) GTEST_SKIP() << "LINSEP_DATA does not say where the public data sets are";
  struct Case {
    const char* name;
    double gap, margin;
  };
  for (const Case& c : {Case{"sonar.csv", 1e-6, 0.00108045313}, Case{"breast_cancer.csv", 1e-4, 4.13714e-5},
                        Case{"pcmac.svm", 1e-4, 0.190749}}) {
    ReadOptions options;
    options.double_values = true;
    const auto source = load(std::string(folder) + "/" + c.name, options);
    const auto began = std::chrono::steady_clock::now();
    TrainSpec spec;
    spec.learner = "margin";
    spec.options = {{"hard", true}, {"gap", c.gap}};
    const Outcome outcome = fit(*source, spec, {}, *solo());
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - began;
    std::printf("%s: %.0f ms\n", c.name, 1000 * taken.count());
    ASSERT_EQ(outcome.reason, StopReason::kConverged) << c.name;
    ASSERT_TRUE(outcome.hard_margin.has_value()) << c.name;
    EXPECT_NEAR(outcome.hard_margin->margin, c.margin, c.margin * (c.gap + 1e-5)) << c.name;
  }
}

}  // namespace
}  // namespace linsep

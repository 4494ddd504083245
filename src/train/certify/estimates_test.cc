// What certify reports about a logistic regression's coefficients, compared with enumeration, and in named cases.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/random.h"
#include "train/certify/testing.h"

namespace linsep {
namespace {

/// By the definition: w_j < 0 is ruled out if e_j lies in the cone of the rows, which means that −e_j as a row would be
/// at zero. Likewise for w_j > 0.
std::vector<Estimate> estimates_of(const SmallSet& set, bool origin) {
  const auto z = z_of(set, origin);
  const auto ruled_out = [&](std::size_t column, int sign) {
    auto more = z;
    more.emplace_back(z.front().size(), Rational(0));
    more.back()[column] = sign;
    return bool{truth_of(more).is_at_zero.back()};
  };
  std::vector<Estimate> estimates;
  for (std::size_t j = 0; j < z.front().size(); ++j) {
    const bool not_negative = ruled_out(j, -1);
    const bool not_positive = ruled_out(j, 1);
    estimates.push_back(not_negative ? (not_positive ? Estimate::kFinite : Estimate::kPlusInfinity)
                                     : (not_positive ? Estimate::kMinusInfinity : Estimate::kUndetermined));
  }
  return estimates;
}

SmallSet set_of(std::vector<std::vector<std::string>> rows, std::vector<int> label) {
  SmallSet set;
  set.features = static_cast<std::uint32_t>(rows.front().size());
  set.text = std::move(rows);
  set.label = std::move(label);
  return set;
}

std::vector<Estimate> found(const CertifyOutcome& outcome) {
  std::vector<Estimate> estimates;
  for (const CoefficientEstimate& estimate : outcome.estimates) estimates.push_back(estimate.estimate);
  return estimates;
}

SmallSet drawn(std::uint64_t seed) {
  Random random(4711, seed);
  SmallSet set;
  set.features = 1 + static_cast<std::uint32_t>(random.below(4));
  const std::size_t rows = 1 + random.below(7);
  const int kind = static_cast<int>(random.below(3));
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<std::string> text;
    for (std::uint32_t j = 0; j < set.features; ++j) {
      std::string value = std::to_string(static_cast<int>(random.below(5)) - 2);
      if (kind == 1) value += "." + std::to_string(random.below(100));
      if (kind == 2) value += j % 2 == 0 ? "e-200" : "e150";
      text.push_back(std::move(value));
    }
    set.text.push_back(random.below(6) == 0 && i > 0 ? set.text[random.below(i)] : std::move(text));
    set.label.push_back(random.below(2) == 0 ? -1 : 1);
  }
  return set;
}

TEST(Estimates, AgreeWithTheOracle) {
  std::map<Estimate, int> seen;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const SmallSet set = drawn(seed);
    const bool origin = seed % 2 == 1;
    const CertifyOutcome outcome = certified(set, origin);
    if (outcome.certificate.claim == Claim::kOverlapping) {
      ASSERT_TRUE(outcome.estimates.empty());
      continue;
    }
    const std::vector<Estimate> truth = estimates_of(set, origin);
    ASSERT_EQ(found(outcome), truth) << seed;
    for (const CoefficientEstimate& estimate : outcome.estimates) {
      ++seen[estimate.estimate];
      const int sign = estimate.estimate == Estimate::kPlusInfinity ? 1 : -1;
      const bool finite = estimate.estimate == Estimate::kFinite;
      const bool free = estimate.estimate == Estimate::kUndetermined;
      ASSERT_TRUE(free || estimate.computed_sign == 0 || (!finite && estimate.computed_sign == sign)) << seed;
    }
  }
  for (const Estimate estimate :
       {Estimate::kPlusInfinity, Estimate::kMinusInfinity, Estimate::kFinite, Estimate::kUndetermined}) {
    EXPECT_GT(seen[estimate], 20) << estimate_name(estimate);
  }
}

TEST(Estimates, AColumnThatAnotherCanReplaceIsNotDetermined) {
  // Both columns separate by themselves. The support of one direction would name both, or either.
  const CertifyOutcome outcome =
      certified(set_of({{"1", "2"}, {"2", "1"}, {"-1", "-3"}, {"-2", "-1"}}, {1, 1, -1, -1}));
  EXPECT_EQ(outcome.estimates[0].estimate, Estimate::kUndetermined);
  EXPECT_EQ(outcome.estimates[1].estimate, Estimate::kUndetermined);
  EXPECT_EQ(outcome.estimates[0].computed_sign, 1);
  EXPECT_EQ(outcome.estimates[1].computed_sign, 1);
}

TEST(Estimates, ManyRowsAreWorkedOutOnlyWhenAsked) {
  SmallSet set;
  set.features = 64;
  set.binary = true;
  Random random(8, 8);
  for (int i = 0; i < 70000; ++i) {
    std::vector<double> row(64, 0.0);
    row[0] = random.normal() + (i % 2 == 0 ? 10 : -10);
    row[1 + random.below(63)] = 1;
    set.number.push_back(std::move(row));
    set.label.push_back(i % 2 == 0 ? 1 : -1);
  }
  SmallSource source(set, 1000, true);
  CertifyOptions options;
  const CertifyOutcome unasked = certify(source, options, *solo());
  EXPECT_EQ(unasked.certificate.claim, Claim::kSeparable);
  for (const Estimate estimate : found(unasked)) EXPECT_EQ(estimate, Estimate::kUnknown);
  EXPECT_TRUE(unasked.certificate.coefficients.empty());
  options.coefficients = true;
  for (const Estimate estimate : found(certify(source, options, *solo()))) EXPECT_NE(estimate, Estimate::kUnknown);
}

TEST(Estimates, ManyDenseColumnsAreWorkedOutOnlyWhenAsked) {
  SmallSet set;
  set.features = 320;
  set.binary = true;
  Random random(8, 9);
  for (int i = 0; i < 560; ++i) {
    std::vector<double> row(set.features);
    for (double& x : row) x = random.normal();
    set.label.push_back(random.below(2) == 0 ? -1 : 1);
    set.number.push_back(std::move(row));
  }
  SmallSource source(set, 1000, true);
  const CertifyOutcome outcome = certify(source, CertifyOptions(), *solo());
  EXPECT_EQ(outcome.certificate.claim, Claim::kSeparable);
  EXPECT_EQ(outcome.reason, StopReason::kConverged);
  std::size_t unknown = 0;
  for (const Estimate estimate : found(outcome)) unknown += estimate == Estimate::kUnknown ? 1 : 0;
  EXPECT_GT(unknown, 0U) << "what one pass shows is known, the rest is not looked for";
}

TEST(Estimates, ValuesNear1em200HaveARadiusAndABound) {
  const std::string one = "1e-200";
  const CertifyOutcome outcome =
      certified(set_of({{"0", "0"}, {"0", one}, {one, "0"}, {one, one}}, {-1, -1, -1, 1}), false);
  ASSERT_EQ(outcome.certificate.claim, Claim::kSeparable);
  ASSERT_TRUE(outcome.radius.has_value());
  EXPECT_NEAR(*outcome.radius / 1e-200, std::sqrt(2), 1e-9);
  ASSERT_TRUE(outcome.margin.has_value());
  EXPECT_LE(*outcome.margin, 1e-200 / std::sqrt(8) * (1 + 1e-12));
  EXPECT_GT(*outcome.margin, 1e-201);
  EXPECT_FALSE(outcome.mistake_bound.has_value()) << "it is about 1e401";
  ASSERT_TRUE(outcome.certificate.margin.mistake_bound.has_value());
  EXPECT_GT(outcome.certificate.margin.mistake_bound->size(), 400U);
}

TEST(Estimates, LargeValuesThroughTheOriginHaveABoundToo) {
  const CertifyOutcome outcome = certified(
      set_of({{"2e200", "1e200"}, {"1e200", "2e200"}, {"-1e200", "3e200"}, {"4e200", "-1e200"}}, {1, 1, 1, 1}), true);
  ASSERT_EQ(outcome.certificate.claim, Claim::kSeparable);
  ASSERT_TRUE(outcome.radius.has_value() && outcome.mistake_bound.has_value());
  EXPECT_NEAR(*outcome.radius / 1e200, std::sqrt(17), 1e-9);
  EXPECT_GT(*outcome.mistake_bound, 1);
  EXPECT_LT(*outcome.mistake_bound, 1000);
}

}  // namespace
}  // namespace linsep

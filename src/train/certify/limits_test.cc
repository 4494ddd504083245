// certify if limits run out, columns are many, or mistakes are to be bounded.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <map>

#include "core/random.h"
#include "linsep/certify.h"
#include "linsep/comm.h"
#include "linsep/read.h"
#include "train/certify/oracle.h"
#include "train/certify/steps.h"

namespace linsep {
namespace {

CheckResult checked(CertifyOutcome& outcome, Source& source) {
  seal_certificate(outcome.certificate, source);
  return verify_certificate(outcome.certificate, &source);
}

SmallSet drawn_noise(std::uint64_t seed, std::uint32_t features, std::size_t rows) {
  Random random(11, seed);
  SmallSet set;
  set.binary = true;
  set.features = features;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> x;
    for (std::uint32_t j = 0; j < features; ++j) x.push_back(random.normal());
    set.number.push_back(std::move(x));
    set.label.push_back(random.below(2) == 0 ? -1 : 1);
  }
  return set;
}

TEST(CertifyLimits, AnInterruptedRunSaysWhatItKnows) {
  const SmallSet set = drawn_noise(1, 20, 500);
  SmallSource source(set);
  const std::atomic<bool> interrupt = true;
  CertifyOptions options;
  options.interrupt = &interrupt;
  CertifyOutcome outcome = certify(source, options, *solo());
  EXPECT_EQ(outcome.certificate.claim, Claim::kUndecided);
  EXPECT_EQ(outcome.reason, StopReason::kInterrupted);
  EXPECT_EQ(outcome.certificate.stopped_because, "interrupted");
  EXPECT_TRUE(outcome.certificate.margin.at_most_squared.has_value());
  EXPECT_TRUE(checked(outcome, source).valid);
}

TEST(CertifyLimits, ATimeLimitEndsWithABoundOnTheMargin) {
  const SmallSet set = drawn_noise(2, 30, 400);
  for (const double limit : {1.0, 2.0, 3.0, 10.0, 1e9}) {
    SCOPED_TRACE(limit);
    SmallSource source(set);
    double asked = 0;
    CertifyOptions options;
    options.clock = [&] { return asked++; };  // every look at the clock takes a second
    options.time_limit = limit;
    CertifyOutcome outcome = certify(source, options, *solo());
    const CheckResult result = checked(outcome, source);
    EXPECT_TRUE(result.valid) << result.reason;
    if (limit == 1e9) {
      EXPECT_EQ(outcome.certificate.claim, Claim::kOverlapping) << "with time enough nothing is open";
      EXPECT_GT(asked, 10) << "the other limits are below what the run takes";
      continue;
    }
    EXPECT_EQ(outcome.certificate.claim, Claim::kUndecided);
    EXPECT_EQ(outcome.reason, StopReason::kTime);
    EXPECT_EQ(outcome.certificate.stopped_because, "time");
    EXPECT_TRUE(outcome.certificate.margin.at_most_squared.has_value());
    EXPECT_LE(asked, limit + 10) << "it ends soon after";
  }
}

/// Rows some of which are settled by signs, round by round. The others overlap.
SmallSet drawn_levels(std::uint64_t seed) {
  SmallSet set = drawn_noise(seed, 12, 300);
  for (std::size_t i = 0; i < set.number.size(); ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      if (i % 7 == j) set.number[i][j] = set.label[i] * std::fabs(set.number[i][j]);
      if (i % 7 != j) set.number[i][j] = i % 7 > j ? 0 : set.number[i][j];
    }
  }
  return set;
}

TEST(CertifyLimits, WhereverARunIsStoppedWhatItStatesIsValid) {
  const SmallSet set = drawn_levels(4);
  int undecided = 0;
  for (double limit = 1; limit < 200; limit += 1 + std::floor(limit / 8)) {
    SCOPED_TRACE(limit);
    SmallSource source(set);
    double asked = 0;
    CertifyOptions options;
    options.clock = [&] { return asked += 1; };  // every look at the clock takes a second
    options.time_limit = limit;
    options.mistakes = true;
    CertifyOutcome outcome = certify(source, options, *solo());
    undecided += outcome.certificate.claim == Claim::kUndecided ? 1 : 0;
    if (!states_something(outcome.certificate)) continue;
    const CheckResult result = checked(outcome, source);
    EXPECT_TRUE(result.valid) << result.reason;
  }
  EXPECT_GT(undecided, 3);
}

TEST(CertifyMistakes, WhatIsProvenByThenIsStatedWhereTheVerdictTakesTooLong) {
  SmallSet set = drawn_noise(6, 60, 400);
  constexpr std::size_t kPairs = 5;
  for (std::size_t i = 0; i < kPairs; ++i) {  // the same features, the other label
    set.number.push_back(set.number[i]);
    set.label.push_back(-set.label[i]);
  }
  bool cut = false;
  for (const double limit : {60.0, 100.0, 200.0}) {
    SCOPED_TRACE(limit);
    SmallSource source(set);
    double asked = 0;
    CertifyOptions options;
    options.clock = [&] { return asked++; };  // every look at the clock takes a second
    options.time_limit = limit;
    options.mistakes = true;
    CertifyOutcome outcome = certify(source, options, *solo());
    cut = cut || outcome.certificate.claim == Claim::kUndecided;
    ASSERT_TRUE(outcome.mistakes_at_least.has_value());
    EXPECT_GE(*outcome.mistakes_at_least, static_cast<std::int64_t>(kPairs));
    EXPECT_FALSE(outcome.certificate.witness.empty()) << "a pair is enough: not separable";
    const CheckResult result = checked(outcome, source);
    EXPECT_TRUE(result.valid) << result.reason;
  }
  EXPECT_TRUE(cut);
}

TEST(CertifyLimits, FewPassesAreNotEnoughAndThatIsSaid) {
  const SmallSet set = drawn_noise(3, 3, 5000);
  SmallSource source(set);
  CertifyOptions options;
  options.max_passes = 0;
  const CertifyOutcome outcome = certify(source, options, *solo());
  EXPECT_EQ(outcome.certificate.claim, Claim::kUndecided);
  EXPECT_EQ(outcome.reason, StopReason::kPasses);
}

/// Sparse rows with more columns than exact arithmetic takes. A hidden classifier gives the labels, and each column is
/// used both ways.
struct ManyColumns {
  std::vector<std::uint64_t> start{0};
  std::vector<std::uint32_t> column;
  std::vector<double> value, label;

  ManyColumns(std::size_t rows, std::uint32_t features, double margin) {
    std::vector<double> theta;
    for (std::uint32_t j = 0; j < features; ++j) theta.push_back(Random(21, j).normal());
    Random random(22);
    while (label.size() < rows) {
      std::map<std::uint32_t, double> x;
      for (int k = 0; k < 12; ++k) x[static_cast<std::uint32_t>(random.below(features))] = random.normal();
      double z = 0;
      for (const auto& [j, v] : x) z += v * theta[j];
      if (std::fabs(z) < margin) continue;
      for (const auto& [j, v] : x) {
        column.push_back(j);
        value.push_back(v);
      }
      start.push_back(column.size());
      label.push_back(z > 0 ? 1 : -1);
    }
  }
  std::unique_ptr<Source> source(std::uint32_t features) const {
    Batch batch;
    batch.rows = static_cast<std::int64_t>(label.size());
    batch.features = features;
    batch.is_float = false;
    batch.start = start;
    batch.column = column;
    batch.value64 = value;
    batch.label = label;
    return view(batch, {{"-1", "1"}, {}});
  }
};

TEST(CertifyManyColumns, ASeparatorIsFoundAndProven) {
  const ManyColumns rows(20000, 3000, 0.2);
  const auto source = rows.source(3000);
  CertifyOutcome outcome = certify(*source, {}, *solo());
  EXPECT_EQ(outcome.certificate.claim, Claim::kSeparable);
  EXPECT_TRUE(outcome.margin.has_value());
  const CheckResult result = checked(outcome, *source);
  EXPECT_TRUE(result.valid) << result.reason;
}

TEST(CertifyManyColumns, ADuplicateIsAWitnessAndTheRestIsLeftOpen) {
  ManyColumns rows(20000, 3000, 0.2);
  for (std::uint64_t k = rows.start[0]; k < rows.start[1]; ++k) {
    rows.column.push_back(rows.column[k]);
    rows.value.push_back(rows.value[k]);
  }
  rows.start.push_back(rows.column.size());
  rows.label.push_back(-rows.label[0]);
  const auto source = rows.source(3000);
  CertifyOutcome outcome = certify(*source, {}, *solo());
  EXPECT_EQ(outcome.certificate.claim, Claim::kUndecided);
  EXPECT_EQ(outcome.certificate.witness.size(), 2U);
  EXPECT_NE(outcome.certificate.stopped_because, "");
  EXPECT_TRUE(checked(outcome, *source).valid);
}

TEST(CertifyManyColumns, NoiseIsHonestlyUndecided) {
  ManyColumns rows(20000, 2500, 0.2);
  for (std::size_t i = 0; i < rows.label.size(); i += 3) rows.label[i] = -rows.label[i];
  const auto source = rows.source(2500);
  CertifyOptions options;
  options.max_passes = 40;
  CertifyOutcome outcome = certify(*source, options, *solo());
  EXPECT_EQ(outcome.certificate.claim, Claim::kUndecided);
  EXPECT_EQ(outcome.reason, StopReason::kPasses);
  EXPECT_TRUE(outcome.certificate.margin.at_most_squared.has_value());
  EXPECT_TRUE(checked(outcome, *source).valid);
}

TEST(CertifyMistakes, TheTruthLiesBetweenTheBounds) {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    Random random(13, seed);
    SmallSet set;
    set.binary = true;
    set.features = 1 + static_cast<std::uint32_t>(random.below(2));
    for (int i = 0; i < 8; ++i) {
      std::vector<double> x;
      for (std::uint32_t j = 0; j < set.features; ++j) x.push_back(static_cast<double>(random.below(4)) - 1);
      set.number.push_back(std::move(x));
      set.label.push_back(random.below(2) == 0 ? -1 : 1);
    }
    const bool origin = seed % 2 == 1;
    SmallSource source(set);
    CertifyOptions options;
    options.origin = origin;
    options.mistakes = true;
    CertifyOutcome outcome = certify(source, options, *solo());
    const std::int64_t truth = least_mistakes(z_of(set, origin));
    ASSERT_TRUE(outcome.mistakes_at_least && outcome.mistakes_at_most);
    EXPECT_LE(*outcome.mistakes_at_least, truth) << seed;
    EXPECT_GE(*outcome.mistakes_at_most, truth) << seed;
    if (outcome.certificate.claim != Claim::kSeparable) {
      EXPECT_GE(*outcome.mistakes_at_least, 1) << seed;
    }
    const CheckResult result = checked(outcome, source);
    EXPECT_TRUE(result.valid) << seed << ": " << result.reason;
  }
}

TEST(CertifyMistakes, PlantedFlipsAreMostlyExplained) {
  SmallSet set = drawn_noise(5, 2, 400);
  for (std::size_t i = 0; i < set.rows(); ++i) {
    set.label[i] = set.number[i][0] + set.number[i][1] / 2 > 0 ? 1 : -1;
    if (i % 20 == 0) set.label[i] = -set.label[i];
  }
  Model truth;
  truth.theta = {1, 0.5};
  SmallSource source(set);
  CertifyOptions options;
  options.mistakes = true;
  options.guide = &truth;
  const CertifyOutcome outcome = certify(source, options, *solo());
  EXPECT_EQ(outcome.mistakes_at_most, 20);
  EXPECT_GE(*outcome.mistakes_at_least, 17);
}

}  // namespace
}  // namespace linsep

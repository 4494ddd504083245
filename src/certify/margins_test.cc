#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <vector>

#include "certify/margins.h"
#include "certify/testing.h"
#include "linsep/comm.h"

namespace linsep {
namespace {

RowScaling scaling_of(std::uint32_t features) {
  RowScaling scaling;
  scaling.space.features = scaling.space.mapped = features;
  scaling.exponent.assign(std::size_t{features} + 1, 0);
  scaling.column_scale.assign(features, 1.0);
  return scaling;
}

std::vector<std::int64_t> largest(const std::vector<std::vector<double>>& rows, Rational* at_most = nullptr) {
  const RowScaling scaling = scaling_of(static_cast<std::uint32_t>(rows.front().size()));
  LargestRows all;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    all.add(scaling, DenseRow<double>{rows[i].data(), rows[i].size()}, static_cast<std::int64_t>(i));
  }
  if (at_most != nullptr) *at_most = all.squared_at_most(scaling);
  return all.rows(scaling);
}

TEST(LargestRows, SquaresBeyondTheRangeOfDoublesAreCompared) {
  EXPECT_EQ(largest({{1e-200, 0}, {1e-200, 2e-200}, {2e-200, 0}}), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(largest({{1e200, 0}, {1e300, 2e-200}, {1, 0}}), (std::vector<std::int64_t>{1}));
  Rational at_most = 0;
  largest({{3e-200, 4e-200}, {0, 0}}, &at_most);
  const Rational five = ratio(5, power_of(10, 200));
  EXPECT_GE(at_most, five * five * ratio(999999, 1000000));
  EXPECT_LE(at_most, five * five * ratio(1000001, 1000000));
}

TEST(LargestRows, AllRowsThatRoundingLeavesOpenAreNamed) {
  EXPECT_EQ(largest({{3, 4}, {1, 1}, {4, 3}, {5, 0}}), (std::vector<std::int64_t>{0, 2, 3}));
}

TEST(LargestRows, OfTooManyEqualRowsOnlyTheBoundIsKnown) {
  Rational at_most = 0;
  EXPECT_TRUE(largest(std::vector<std::vector<double>>(40, {1.0, 1.0}), &at_most).empty());
  EXPECT_GE(at_most, 2);
  EXPECT_LT(at_most, ratio(20001, 10000));
}

TEST(LargestRows, RowsOfZerosHaveNoSize) {
  Rational at_most = 1;
  EXPECT_TRUE(largest({{0, 0}}, &at_most).empty());
  EXPECT_EQ(at_most, 0);
}

TEST(LargestRows, ValuesThatReadAsInfiniteLeaveItOpen) {
  Rational at_most = 1;
  EXPECT_TRUE(largest({{1e300, 1e300}, {std::numeric_limits<double>::infinity(), 0}, {3, 4}}, &at_most).empty());
  EXPECT_EQ(at_most, 0);
}

TEST(LargestRows, WorkersDontChangeThem) {
  const RowScaling scaling = scaling_of(1);
  run_threads(3, [&](Comm& comm) {
    LargestRows all;
    for (int round = 0; round < 2; ++round) {
      for (std::int64_t i = 0; i < 100; ++i) {
        const double value = static_cast<double>((i * 37) % 100);
        if (i % 3 == comm.rank()) all.add(scaling, DenseRow<double>{&value, 1}, i);
      }
      all.synchronise(comm);
    }
    EXPECT_EQ(all.rows(scaling), (std::vector<std::int64_t>{27}));  // 27·37 = 999
  });
}

TEST(MarginBounds, RootsOfNumbersBeyondDoublesAreBounds) {
  for (const std::int64_t ten : {-400, -200, -3, 0, 5, 400}) {
    const Integer power = power_of(10, static_cast<std::uint64_t>(std::abs(ten)));
    const Rational value = ten < 0 ? ratio(2, power) : Rational(2 * power);
    const double low = *root_bound(value, false);
    const double high = *root_bound(value, true);
    EXPECT_LE(Rational(low) * Rational(low), value);
    EXPECT_GE(Rational(high) * Rational(high), value);
    EXPECT_LE(high, low * (1 + 4e-16));
  }
  EXPECT_EQ(root_bound(ratio(1, power_of(10, 700)), true), std::nullopt);
  EXPECT_EQ(double_bound(Rational(power_of(10, 400)), true), std::nullopt);
  EXPECT_EQ(double_bound(ratio(1, 2), true), 0.5);
  EXPECT_GT(Rational(*double_bound(ratio(1, 3), true)), ratio(1, 3));
  EXPECT_LT(Rational(*double_bound(ratio(1, 3), false)), ratio(1, 3));
}

// Compares ExactMargin with the smallest margin over rationals, row by row.

using testing::TenthRows;

ExactMarginOptions options_for(const TenthRows& set, bool origin, std::vector<double> theta, double offset) {
  ExactMarginOptions options;
  options.space = testing::space_of(set, origin);
  options.theta = std::move(theta);
  options.offset = offset;
  options.binary = set.binary;
  options.written = [&set](std::span<const std::int64_t> rows) { return set.written(rows); };
  return options;
}

Rational score_of(const TenthRows& set, std::size_t i, const std::vector<double>& theta, double offset) {
  Rational score(offset);
  for (std::size_t j = 0; j < theta.size(); ++j) score += Rational(theta[j]) * set.exact(i, j);
  return Rational(set.label[i]) * score;
}

Rational least_score(const TenthRows& set, const std::vector<double>& theta, double offset) {
  Rational least = score_of(set, 0, theta, offset);
  for (std::size_t i = 1; i < set.rows(); ++i) least = std::min(least, score_of(set, i, theta, offset));
  return least;
}

TEST(ExactMargin, IsTheLeastOfAllRowsOfDrawnSets) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(72, seed);
    const auto features = static_cast<std::uint32_t>(1 + random.below(4));
    const TenthRows set = testing::drawn_rows(seed, 1 + random.below(40), features, seed % 3 == 0 ? 2 : 1000);
    const bool origin = random.below(2) == 0;
    std::vector<double> theta;
    for (std::uint32_t j = 0; j < features; ++j) theta.push_back(random.below(4) == 0 ? 0 : random.normal());
    const double offset = origin ? 0 : random.normal();
    ExactMargin pass(options_for(set, origin, theta, offset));
    const auto comm = solo();
    EXPECT_EQ(testing::run_once(pass, set, 0, set.rows(), 1 + random.below(7), *comm), Verdict::kConverged);
    EXPECT_TRUE(pass.is_exact());
    EXPECT_EQ(pass.least(), least_score(set, theta, offset)) << "seed " << seed;
    Rational norm = 0;
    for (const double w : theta) norm += Rational(w) * Rational(w);
    EXPECT_EQ(pass.squared_norm(), norm);
  }
}

TEST(ExactMargin, TakesDecimalsAsWritten) {
  // 0.1 + 0.2 is 0.3 as written, and more than that in doubles.
  TenthRows set{{{1, 2}, {3, 0}}, {1, 1}};
  ASSERT_GT(0.1 + 0.2, 0.3);
  for (const bool swapped : {false, true}) {
    if (swapped) std::swap(set.x[0], set.x[1]);
    ExactMargin pass(options_for(set, true, {1, 1}, 0));
    const auto comm = solo();
    testing::run_once(pass, set, 0, 2, 1, *comm);
    EXPECT_EQ(pass.least(), ratio(3, 10));
  }
}

TEST(ExactMargin, TakesDoublesAsTheirDyadicValues) {
  TenthRows set{{{3}, {3}}, {1, 1}};
  set.binary = true;
  ExactMargin pass(options_for(set, true, {1}, 0));
  const auto comm = solo();
  testing::run_once(pass, set, 0, 2, 2, *comm);
  EXPECT_EQ(pass.least(), Rational(0.3));
  EXPECT_NE(pass.least(), ratio(3, 10));
}

TEST(ExactMargin, ARowOnTheBoundaryHasMarginZero) {
  const TenthRows set{{{1, 2}, {3, 9}}, {1, 1}};
  ExactMargin pass(options_for(set, false, {10, 10}, -3));
  const auto comm = solo();
  testing::run_once(pass, set, 0, 2, 2, *comm);
  EXPECT_EQ(pass.least(), 0);
}

TEST(ExactMargin, SeesRowsThroughAFeatureMap) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const TenthRows set = testing::drawn_rows(seed, 12, 2, 30);
    const std::vector<double> theta = {0.5, -1.25, 3};
    ExactMarginOptions options = options_for(set, false, theta, 0.125);
    options.space.map = {FeatureMap::Kind::kProducts, 1};
    options.space.mapped = 3;
    ExactMargin pass(std::move(options));
    const auto comm = solo();
    testing::run_once(pass, set, 0, set.rows(), 5, *comm);
    Rational least = 0;
    for (std::size_t i = 0; i < set.rows(); ++i) {
      const Rational a = set.exact(i, 0);
      const Rational b = set.exact(i, 1);
      const Rational score = Rational(set.label[i]) * (Rational(theta[0]) * a + Rational(theta[1]) * b +
                                                       Rational(theta[2]) * a * b + Rational(0.125));
      if (i == 0 || score < least) least = score;
    }
    EXPECT_EQ(pass.least(), least) << "seed " << seed;
  }
}

TEST(ExactMargin, OfTooManyRowsThatMayHaveItIsALowerBound) {
  TenthRows set;
  for (int i = 0; i < 20000; ++i) {
    set.x.push_back({7});
    set.label.push_back(1);
  }
  ExactMargin pass(options_for(set, true, {1}, 0));
  const auto comm = solo();
  testing::run_once(pass, set, 0, set.rows(), 4096, *comm);
  const Rational truth = ratio(7, 10);
  EXPECT_FALSE(pass.is_exact());
  EXPECT_LE(pass.least(), truth);
  EXPECT_GT(pass.least(), Rational(0.7 - 1e-12));
}

}  // namespace

}  // namespace linsep

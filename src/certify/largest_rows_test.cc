#include "certify/largest_rows.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <vector>

#include "certify/margin_bounds.h"
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

}  // namespace
}  // namespace linsep

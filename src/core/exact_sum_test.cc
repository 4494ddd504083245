#include "core/exact_sum.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/random.h"

namespace linsep {
namespace {

double sum_of(const std::vector<double>& terms) {
  ExactSum sum;
  for (const double x : terms) sum.add(x);
  return sum.value();
}

TEST(ExactSum, LosesNothing) {
  EXPECT_EQ(sum_of({}), 0);
  EXPECT_EQ(sum_of({1e300, 1, -1e300}), 1);
  EXPECT_EQ(sum_of({1e-310, 1e300, -1e300}), 1e-310);
  EXPECT_EQ(sum_of({0.5, 0x1p-60, -0.5}), 0x1p-60);
  EXPECT_EQ(sum_of({-3, 1, -0.25}), -2.25);
  EXPECT_EQ(sum_of({-0.0, 0.0}), 0);
  EXPECT_EQ(sum_of({0x1.fffffffffffffp+1023, -0x1.fffffffffffffp+1023, 5}), 5);
  EXPECT_EQ(sum_of({5e-324, 5e-324}), 1e-323);
}

TEST(ExactSum, DependsNeitherOnTheOrderNorOnTheParts) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(5, seed);
    std::vector<double> terms(1 + random.below(100));
    long double plain = 0, size = 0;
    for (double& x : terms) {
      x = std::ldexp(random.normal(), static_cast<int>(random.below(40)) - 20);
      plain += x;
      size += std::abs(x);
    }
    const double forwards = sum_of(terms);
    EXPECT_NEAR(forwards, static_cast<double>(plain), 1e-15 * static_cast<double>(size));
    EXPECT_EQ(sum_of({terms.rbegin(), terms.rend()}), forwards);
    ExactSum left, right, negated;
    for (const double x : terms) {
      const bool to_left = random.below(2) == 0;
      (to_left ? left : right).add(x);
      if (!to_left) negated.add(-x);
    }
    ExactSum less = left;
    less.subtract(negated);
    EXPECT_EQ(less.value(), forwards);
    left.add(right);
    EXPECT_EQ(left.value(), forwards);
    ExactSum again;
    again.set_words(left.words(), true);
    EXPECT_EQ(again.value(), forwards);
  }
}

TEST(ExactSum, SaysWhenATermIsNoNumber) {
  EXPECT_TRUE(std::isnan(sum_of({1, std::numeric_limits<double>::infinity()})));
  EXPECT_TRUE(std::isnan(sum_of({std::numeric_limits<double>::quiet_NaN()})));
}

}  // namespace
}  // namespace linsep

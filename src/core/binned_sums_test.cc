#include "core/binned_sums.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.h"

namespace linsep {
namespace {

double sum_of(const std::vector<double>& terms) {
  BinnedSums sums;
  sums.resize(1);
  for (const double x : terms) sums.add(0, x);
  return sums.value(0);
}

TEST(BinnedSums, OfTermsOfLikeSizeLoseNothing) {
  EXPECT_EQ(sum_of({}), 0);
  EXPECT_EQ(sum_of({1, 2, -0.25}), 2.75);
  EXPECT_EQ(sum_of({1e5, 1, -1e5}), 1);
  EXPECT_EQ(sum_of({5e-324, 5e-324}), 1e-323);
  EXPECT_EQ(sum_of({-1.5 * 0x1p1023, 1.5 * 0x1p1023, 0x1p1000}), 0x1p1000);
  EXPECT_NEAR(sum_of({0.1, 0.2}), 0.3, 1e-16);
}

TEST(BinnedSums, DependOnTheTermsAlone) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(23, seed);
    std::vector<double> terms(1 + random.below(60));
    const int spread = 1 + static_cast<int>(random.below(200));
    double greatest = 0;
    ExactSum exact;
    for (double& x : terms) {
      x = std::ldexp(random.normal(), static_cast<int>(random.below(static_cast<std::uint64_t>(spread))) - spread / 2);
      greatest = std::max(greatest, std::abs(x));
      exact.add(x);
    }
    const double forwards = sum_of(terms);
    EXPECT_NEAR(forwards, exact.value(),
                0x1p-52 * std::abs(exact.value()) + 0x1p-52 * static_cast<double>(terms.size()) * greatest);
    EXPECT_EQ(sum_of({terms.rbegin(), terms.rend()}), forwards);
    std::sort(terms.begin(), terms.end());
    EXPECT_EQ(sum_of(terms), forwards);
    // In two parts, as two workers would.
    BinnedSums left, right;
    left.resize(1);
    right.resize(1);
    for (const double x : terms) (random.below(2) == 0 ? left : right).add(0, x);
    BinnedSums both = left;
    both.add(right);
    EXPECT_EQ(both.value(0), forwards);
    const std::vector<std::int64_t> base = {std::max(left.bases()[0], right.bases()[0])};
    left.raise_to(base);
    right.raise_to(base);
    std::vector<std::int64_t> bins = left.bins();
    for (std::size_t b = 0; b < bins.size(); ++b) bins[b] += right.bins()[b];
    left.set(base, bins);
    EXPECT_EQ(left.value(0), forwards);
  }
}

TEST(BinnedSums, SayWhenATermIsNoNumber) {
  EXPECT_TRUE(std::isnan(sum_of({1, std::numeric_limits<double>::infinity(), 2})));
}

}  // namespace
}  // namespace linsep

#include "numeric/paired_counts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace linsep {
namespace {

/// The test by its definition: all 2^m ways in which the faults can fall, by Pascal's triangle.
double slow_p(std::int64_t first, std::int64_t second) {
  const std::int64_t all = first + second;
  std::vector<double> ways(static_cast<std::size_t>(all) + 1);
  ways[0] = 1;
  for (std::int64_t m = 1; m <= all; ++m) {
    for (auto k = static_cast<std::size_t>(m); k > 0; --k) ways[k] += ways[k - 1];
  }
  double tail = 0;
  for (std::int64_t k = 0; k <= std::min(first, second); ++k) tail += ways[static_cast<std::size_t>(k)];
  return std::min(1.0, 2 * tail * std::pow(0.5, static_cast<double>(all)));
}

TEST(PairedCounts, TheTestIsThatOfTheDefinition) {
  for (std::int64_t first = 0; first <= 40; ++first) {
    for (std::int64_t second = 0; second <= 40; ++second) {
      EXPECT_NEAR(mcnemar_p({first, second}) / slow_p(first, second), 1, 1e-12) << first << " " << second;
    }
  }
}

TEST(PairedCounts, TheTestTakesManyRows) {
  // By the normal approximation with continuity correction.
  const double z = (40000 - 1) / std::sqrt(1e9);
  EXPECT_NEAR(mcnemar_p({500020000, 499980000}) / std::erfc(z / std::sqrt(2.0)), 1, 1e-5);
  EXPECT_EQ(mcnemar_p({1000000000, 0}), 0) << "below the range of doubles";
}

/// The score test of a difference d by its definition: the likeliest shares are searched for, not solved for.
double slow_statistic(double first, double second, double all, double d) {
  const auto log_of = [](double count, double share) { return count == 0 ? 0 : count * std::log(share); };
  const auto likelihood = [&](double q) {
    return log_of(first, q + d) + log_of(second, q) + log_of(all - first - second, 1 - 2 * q - d);
  };
  double low = std::max(0.0, -d), high = (1 - d) / 2;
  for (int step = 0; step < 300; ++step) {
    const double left = low + (high - low) * 0.45, right = low + (high - low) * 0.55;
    (likelihood(left) < likelihood(right) ? low : high) = likelihood(left) < likelihood(right) ? left : right;
  }
  return (first - second - all * d) / std::sqrt(all * (2 * low + d - d * d));
}

TEST(PairedCounts, EndsAreWhereTheScoreTestBeginsToReject) {
  for (const auto& [first, second, all] : {std::array{7, 3, 50}, {12, 40, 900}, {11, 2, 16}, {12, 40, 60}}) {
    const auto [low, high] = paired_interval({first, second}, all);
    EXPECT_NEAR(slow_statistic(first, second, all, low), 1.959963984540054, 1e-4) << first << " " << second;
    EXPECT_NEAR(slow_statistic(first, second, all, high), -1.959963984540054, 1e-4) << first << " " << second;
  }
  const double z = 1.959963984540054;
  EXPECT_NEAR(paired_interval({0, 0}, 100).at_most, z * z / (100 + z * z), 1e-12) << "as Wilson's";
  EXPECT_EQ(paired_interval({7, 3}, 50).at_least, -paired_interval({3, 7}, 50).at_most);
}

TEST(PairedCounts, IntervalsFitTheExactTest) {
  for (std::int64_t first = 0; first <= 40; ++first) {
    for (std::int64_t second = 0; second <= 40; ++second) {
      for (const std::int64_t more : {0, 1, 30, 1000}) {
        const std::int64_t all = first + second + more;
        if (all == 0) continue;
        const auto [low, high] = paired_interval({first, second}, all);
        const double found = static_cast<double>(first - second) / static_cast<double>(all);
        EXPECT_LE(low, found);
        EXPECT_GE(high, found);
        EXPECT_GE(low, -1);
        EXPECT_LE(high, 1);
        EXPECT_EQ(low <= 0 && high >= 0, mcnemar_p({first, second}) >= 0.05) << first << " " << second << " " << all;
      }
    }
  }
}

}  // namespace
}  // namespace linsep

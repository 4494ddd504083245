#include "numeric/paired_counts.h"

#include <algorithm>
#include <cmath>

#include "numeric/distributions.h"

namespace linsep {
namespace {

constexpr double kLevel = 0.05;

/// The largest difference that the score test doesn't reject.
double upper_end(double first, double second, double all) {
  const double z = normal_two_sided_quantile(kLevel);
  // The statistic falls as the difference grows. The second's share is its likeliest one, given the difference d.
  const auto statistic = [&](double d) {
    const double a = 2 * all, b = -first - second + (2 * all - first + second) * d, c = -second * d * (1 - d);
    const double share = (std::sqrt(std::max(b * b - 4 * a * c, 0.0)) - b) / (2 * a);
    const double variance = all * (2 * share + d * (1 - d));
    return variance > 0 ? (first - second - all * d) / std::sqrt(variance) : 0;
  };
  double low = (first - second) / all, high = 1;
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = low + (high - low) / 2;
    (statistic(middle) >= -z ? low : high) = middle;
  }
  return high;
}

}  // namespace

double mcnemar_p(const Discordant& rows) {
  const std::int64_t all = rows.first + rows.second, fewer = std::min(rows.first, rows.second);
  if (2 * fewer >= all - 1) return 1;
  // Binomial coefficients from the middle down, as shares of the middle one. Those too small to count are left out.
  const std::int64_t middle = all / 2;
  constexpr double kTooSmall = 1e-300;  // below, products stop falling
  double term = 1, half = 0, tail = 0;
  for (std::int64_t k = middle; k >= 0 && term > kTooSmall; --k) {
    half += term;
    if (k <= fewer) tail += term;
    term *= static_cast<double>(k) / static_cast<double>(all - k + 1);
  }
  const double total = all % 2 == 0 ? 2 * half - 1 : 2 * half;
  return std::min(2 * tail / total, 1.0);
}

PairedInterval paired_interval(const Discordant& rows, std::int64_t all) {
  const auto first = static_cast<double>(rows.first), second = static_cast<double>(rows.second);
  const auto count = static_cast<double>(all);
  PairedInterval found{-upper_end(second, first, count), upper_end(first, second, count)};
  if (mcnemar_p(rows) < kLevel) return found;
  return {std::min(found.at_least, 0.0), std::max(found.at_most, 0.0)};
}

}  // namespace linsep

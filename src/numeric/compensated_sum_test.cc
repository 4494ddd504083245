#include "numeric/compensated_sum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "core/exact_sum.h"
#include "core/random.h"

namespace linsep {
namespace {

TEST(CompensatedSums, AreThoseOfExactSumsButForTheLastDigit) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(21, seed);
    std::vector<double> terms(random.below(100));
    ExactSum exact;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      // Every other term takes most of the one before away.
      terms[i] = i % 2 == 1 ? -terms[i - 1] * (1 + 1e-9 * random.normal()) : std::ldexp(random.normal(), 20);
      exact.add(terms[i]);
    }
    const auto term = [&](std::size_t i) { return terms[i]; };
    const double sum = sum_between(0, terms.size(), term).value();
    EXPECT_NEAR(sum, exact.value(), 1e-15 * std::abs(exact.value())) << seed;
    EXPECT_EQ(sum_over(terms.size(), 3, term), sum);
  }
}

TEST(CompensatedSums, OfProductsLoseNoSmallTerm) {
  const std::vector<double> a = {0x1p60, 1, -0x1p60, 3, 0, 0, 0, 0, 0, 0x1p30},
                            b = {1, 1, 1, 1, 5, 5, 5, 5, 5, 0x1p-30};
  EXPECT_EQ(inner_product(a, b), 5);
  EXPECT_EQ(squared_length(std::vector<double>{3, 4}), 25);
}

}  // namespace
}  // namespace linsep

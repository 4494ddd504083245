#include "proof/logarithm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

namespace linsep {
namespace {

TEST(MinusLog, EnclosesTheLogarithm) {
  std::mt19937_64 draw(5);
  const auto check = [](std::uint64_t k, int bits) {
    const MinusLog bounds = minus_log(k, bits);
    const long double exact = -std::log(std::ldexp(static_cast<long double>(k), -bits)) * 0x1p56L;
    EXPECT_LE(static_cast<long double>(bounds.low), exact + 1) << k;
    EXPECT_GE(static_cast<long double>(bounds.high), exact - 1) << k;
    EXPECT_LE(bounds.high - bounds.low, 8);
  };
  for (std::uint64_t k = 1; k <= 4096; ++k) check(k, 12);
  for (int i = 0; i < 100'000; ++i) check((draw() >> (24 + draw() % 40)) + 1, 40);
  for (int e = 0; e <= 60; ++e) check(std::uint64_t{1} << e, 60);
}

TEST(MinusLog, OfOneIsZero) {
  const MinusLog bounds = minus_log(std::uint64_t{1} << 40, 40);
  EXPECT_EQ(bounds.low, 0);
  EXPECT_EQ(bounds.high, 0);
}

// ln 2 to 40 digits, times 2⁵⁶, which is more than long double can resolve.
TEST(MinusLog, OfOneHalf) {
  const MinusLog bounds = minus_log(1, 1);
  EXPECT_LE(bounds.low, 49'946'518'145'322'873);
  EXPECT_GE(bounds.high, 49'946'518'145'322'874);
}

}  // namespace
}  // namespace linsep

#include "exact/decimal.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace linsep {
namespace {

TEST(Decimal, ABinaryNumberIsItsDyadicValue) {
  EXPECT_NE(rational_of_double(0.1) + rational_of_double(0.2), rational_of_double(0.3));
  EXPECT_EQ(rational_of_double(0x1p-1074) * power_of(2, 1074), 1);
  EXPECT_EQ(rational_of_double(-0x1.8p1000), -3 * power_of(2, 999));
}

TEST(Decimal, WhatIsNotFiniteHasNoExactValue) {
  for (const double value : {HUGE_VAL, -HUGE_VAL, std::nan("")})
    EXPECT_THROW(rational_of_double(value), std::logic_error);
}

TEST(Decimal, ARootIsNeverAboveTheTrueOneAndNearIt) {
  for (const int exponent : {-2000, -1500, -700, -3, 0, 1, 40, 999, 1500, 2046}) {
    const Rational value = times_power_of_two(Rational(7, 3), exponent);
    const double root = root_below(value);
    const Rational found = rational_of_double(root), next = rational_of_double(root * (1 + 0x1p-50));
    EXPECT_GT(root, 0) << exponent;
    EXPECT_LE(found * found, value) << exponent;
    EXPECT_GE(next * next, value) << exponent;
  }
  EXPECT_EQ(root_below(0), 0);
  EXPECT_EQ(root_below(times_power_of_two(1, -4000)), 0);
  EXPECT_EQ(root_below(times_power_of_two(1, 4000)), std::numeric_limits<double>::max());
}

TEST(Decimal, TheShorterTextIsWritten) {
  EXPECT_EQ(exact_text(Rational(1, 3)), "1/3");
  EXPECT_EQ(exact_text(Rational(-1, 2)), "-0.5");
  EXPECT_EQ(exact_text(Rational(7)), "7");
  EXPECT_EQ(exact_text(Rational(1, 1024)), "1/1024");
  EXPECT_EQ(exact_text(Rational(-1, 1000)), "-0.001");
  EXPECT_EQ(exact_text(Rational(-12345, 4)), "-3086.25");
}

/// The value of "−12.5" or "p/q", by the definition.
Rational value_of(const std::string& text) {
  const std::size_t point = text.find('.');
  if (point == std::string::npos) return rational_of(text);
  const Integer digits = integer_of(text.substr(0, point) + text.substr(point + 1));
  return ratio(digits, power_of(10, text.size() - point - 1));
}

RC_GTEST_PROP(Decimal, TextsReadBack, (std::int64_t p, std::uint16_t q)) {
  const Rational value = ratio(p, std::int64_t{q} + 1);
  RC_ASSERT(value_of(exact_text(value)) == value);
  RC_ASSERT(exact_text(value).size() <= to_text(value).size());
}

}  // namespace
}  // namespace linsep

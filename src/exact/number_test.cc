// What every back end of exact/number.h promises, compared with slow definitions that use operators alone.
#include "exact/number.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace linsep {
namespace {

Integer times_two(Integer a, int times) {
  for (; times > 0; --times) a += a;
  return a;
}
Integer size_of(const Integer& a) { return a < 0 ? Integer(-a) : a; }
Rational size_of(const Rational& a) { return a < 0 ? Rational(-a) : a; }

/// Numbers of up to about 200 bits and both signs. Small ones and those around powers of two are among them.
Integer drawn() {
  Integer value = 0;
  for (const auto word : *rc::gen::arbitrary<std::vector<std::uint32_t>>()) {
    if (size_of(value) > times_two(1, 200)) break;
    value = times_two(value, 32) + word;
  }
  value = times_two(value, *rc::gen::inRange(0, 40)) + *rc::gen::inRange(-2, 3);
  return *rc::gen::arbitrary<bool>() ? value : Integer(-value);
}
Integer drawn_nonzero() {
  const Integer value = drawn();
  return value == 0 ? Integer(1) : value;
}
Rational drawn_rational() { return ratio(drawn(), drawn_nonzero()); }

/// Euclid's algorithm.
Integer divisor_by_euclid(Integer a, Integer b) {
  while (b != 0) {
    const Integer rest = a - a / b * b;
    a = b;
    b = rest;
  }
  return size_of(a);
}

/// Digit by digit.
std::string text_by_digits(const Integer& a) {
  std::string text;
  for (Integer rest = size_of(a); rest > 0; rest = rest / 10) {
    const Integer digit = rest - rest / 10 * 10;
    char c = '0';
    for (Integer k = 0; k < digit; k += 1) ++c;
    text.insert(text.begin(), c);
  }
  if (text.empty()) text = "0";
  return a < 0 ? "-" + text : text;
}

RC_GTEST_PROP(Integers, FloorAndCeilingLeaveARestBelowTheDivisor, ()) {
  const Integer a = drawn(), b = drawn_nonzero();
  const Integer low = a - floor_quotient(a, b) * b;
  const Integer high = ceiling_quotient(a, b) * b - a;
  for (const Integer& rest : {low, high}) {
    const bool below = b > 0 ? rest >= 0 && rest < b : rest <= 0 && rest > b;
    RC_ASSERT(below);
  }
}

RC_GTEST_PROP(Integers, AModulusIsTheRestOfTheFloor, (std::uint64_t p)) {
  RC_PRE(p > 0U);
  const Integer a = drawn();
  RC_ASSERT(Integer(modulo(a, p)) == a - floor_quotient(a, p) * p);
}

TEST(Integers, AModulusTakesAll64Bits) {
  const std::uint64_t p = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(modulo(-1, p), p - 1);
  EXPECT_EQ(modulo(power_of(2, 64) * -3 + 2, p), p - 1);
}

RC_GTEST_PROP(Integers, ProductsAreAddedAndDividedOut, ()) {
  const Integer a = drawn(), b = drawn_nonzero(), start = drawn();
  Integer sum = start;
  add_product(sum, a, b);
  RC_ASSERT(sum == start + a * b);
  subtract_product(sum, b, a);
  RC_ASSERT(sum == start);
  Integer quotient = a * b;
  divide_exactly(quotient, b);
  RC_ASSERT(quotient == a);
}

TEST(Integers, ANumberMayBeAddedToItsOwnProduct) {
  Integer a = 7;
  add_product(a, a, a);
  EXPECT_EQ(a, 56);
  subtract_product(a, a, 2);
  EXPECT_EQ(a, -56);
}

RC_GTEST_PROP(Integers, CommonDivisorsAndMultiplesAreEuclids, ()) {
  const Integer shared = drawn();
  const Integer a = drawn() * shared, b = drawn() * shared;
  Integer divisor = a, multiple = a;
  shrink_to_common_divisor(divisor, b);
  grow_to_common_multiple(multiple, b);
  RC_ASSERT(divisor == divisor_by_euclid(a, b));
  const Integer product = size_of(Integer(a * b));
  RC_ASSERT(multiple == (divisor == 0 ? Integer(0) : Integer(product / divisor)));
}

RC_GTEST_PROP(Integers, PowersAreRepeatedProducts, (std::uint64_t base)) {
  Integer expected = 1;
  const auto exponent = *rc::gen::inRange<std::uint64_t>(0, 20);
  for (std::uint64_t k = 0; k < exponent; ++k) expected *= base;
  RC_ASSERT(power_of(base, exponent) == expected);
}

RC_GTEST_PROP(Integers, BitsAreCounted, ()) {
  const Integer a = drawn_nonzero();
  const auto bits = static_cast<int>(bit_length(a));
  RC_ASSERT(times_two(1, bits) > size_of(a) && times_two(1, bits - 1) <= size_of(a));
  const auto zeros = static_cast<int>(trailing_zero_bits(a));
  const Integer odd = a / times_two(1, zeros);
  RC_ASSERT(times_two(odd, zeros) == a && odd - odd / 2 * 2 != 0);
}

TEST(Integers, ZeroHasOneBit) { EXPECT_EQ(bit_length(0), 1U); }

RC_GTEST_PROP(Integers, ShiftsAreProductsWithPowersOfTwo, ()) {
  const Integer a = drawn();
  const int bits = *rc::gen::inRange(0, 200);
  Integer shifted = a;
  shifted <<= static_cast<std::uint64_t>(bits);
  RC_ASSERT(shifted == times_two(a, bits));
  shifted >>= static_cast<std::uint64_t>(bits);
  RC_ASSERT(shifted == a);
}

RC_GTEST_PROP(Integers, TextsAreDecimalWithAnyNumberOfLeadingZeros, ()) {
  const Integer a = drawn();
  RC_ASSERT(to_text(a) == text_by_digits(a));
  RC_ASSERT(integer_of(to_text(a)) == a);
  const std::string zeros(static_cast<std::size_t>(*rc::gen::inRange(0, 40)), '0');
  RC_ASSERT(integer_of((a < 0 ? "-" : "") + zeros + to_text(size_of(a))) == a);
}

TEST(Integers, ALeadingZeroIsNotOctal) {
  EXPECT_EQ(integer_of("010"), 10);
  EXPECT_EQ(integer_of("-09"), -9);
  EXPECT_EQ(integer_of("-0"), 0);
}

TEST(Integers, MachineIntegersFitUpToTheirBounds) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(Integer(kLeast), -power_of(2, 63));
  EXPECT_EQ(Integer(std::numeric_limits<std::uint64_t>::max()), power_of(2, 64) - 1);
  for (const std::int64_t value : {kLeast, std::int64_t{-1}, std::int64_t{0}, kMost}) {
    ASSERT_TRUE(fits_int64(value));
    EXPECT_EQ(to_int64(value), value);
  }
  EXPECT_FALSE(fits_int64(Integer(kMost) + 1));
  EXPECT_FALSE(fits_int64(Integer(kLeast) - 1));
}

RC_GTEST_PROP(Integers, TheFractionHasTheFirst53Bits, ()) {
  const Integer a = drawn_nonzero();
  std::int64_t exponent = 0;
  const double fraction = fraction_and_exponent(a, &exponent);
  RC_ASSERT(exponent == static_cast<std::int64_t>(bit_length(a)));
  RC_ASSERT(std::fabs(fraction) >= 0.5 && std::fabs(fraction) < 1);
  RC_ASSERT((fraction < 0) == (a < 0));
  const Rational kept = size_of(Rational(fraction)) * times_two(1, static_cast<int>(exponent));
  const Rational unit = ratio(times_two(1, static_cast<int>(exponent)), times_two(1, 53));
  RC_ASSERT(kept <= size_of(a) && kept + unit > size_of(a));
}

TEST(Integers, TheFractionOfZeroIsZero) {
  std::int64_t exponent = 5;
  EXPECT_EQ(fraction_and_exponent(0, &exponent), 0);
  EXPECT_EQ(exponent, 0);
}

RC_GTEST_PROP(Rationals, AreKeptInLowestTerms, ()) {
  const Integer p = drawn(), q = drawn_nonzero();
  const Rational value = ratio(p, q);
  const Integer top = numerator(value), bottom = denominator(value);
  RC_ASSERT(bottom > 0 && top * q == bottom * p);
  RC_ASSERT(divisor_by_euclid(top, bottom) == 1);
  RC_ASSERT(sign_of(value) == sign_of(p) * sign_of(q));
  RC_ASSERT(to_text(value) == (bottom == 1 ? to_text(top) : to_text(top) + "/" + to_text(bottom)));
  RC_ASSERT(rational_of(to_text(value)) == value);
}

RC_GTEST_PROP(Rationals, MixWithIntegers, ()) {
  const Rational r = drawn_rational();
  const Integer a = drawn_nonzero();
  const Rational whole = ratio(a, 1);
  RC_ASSERT(Rational(a * r) == whole * r);
  RC_ASSERT(Rational(r / a) == r / whole);
  RC_ASSERT(Rational(r + a) == whole + r);
  RC_ASSERT((r < a) == (r < whole));
  Rational sum = r;
  sum += a;
  sum -= a;
  sum *= a;
  sum /= a;
  RC_ASSERT(sum == r);
}

RC_GTEST_PROP(Rationals, OrderIsThatOfCrossProducts, ()) {
  const Rational a = drawn_rational(), b = drawn_rational();
  RC_ASSERT((a < b) == (numerator(a) * denominator(b) < numerator(b) * denominator(a)));
  RC_ASSERT((a == b) == (to_text(a) == to_text(b)));
}

RC_GTEST_PROP(Rationals, PowersOfTwoScaleBothWays, ()) {
  const Rational a = drawn_rational();
  const int exponent = *rc::gen::inRange(0, 300);
  RC_ASSERT(times_power_of_two(a, exponent) == a * times_two(1, exponent));
  RC_ASSERT(times_power_of_two(a, -exponent) * times_two(1, exponent) == a);
}

RC_GTEST_PROP(Rationals, ADoubleIsItsDyadicValue, (std::uint64_t bits)) {
  const double value = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(value));
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  const Integer mantissa = static_cast<std::int64_t>(std::ldexp(fraction, 53));
  RC_ASSERT(Rational(value) == times_power_of_two(Rational(mantissa), exponent - 53));
  RC_ASSERT(approximate(Rational(value)) == value);
}

/// The double is at most as large, and the next one away from zero is larger.
bool is_truncated(const Rational& a) {
  const double value = approximate(a);
  const double near = std::fabs(value);
  if (std::signbit(value) != (a < 0 && near > 0)) return false;
  const Rational limit(power_of(2, 1024));
  if (std::isinf(near)) return size_of(a) >= limit;
  const double next = std::nextafter(near, std::numeric_limits<double>::infinity());
  return Rational(near) <= size_of(a) && (std::isinf(next) ? limit : Rational(next)) > size_of(a);
}

RC_GTEST_PROP(Rationals, AreTruncatedTowardZeroAtEverySize, ()) {
  RC_ASSERT(is_truncated(times_power_of_two(drawn_rational(), *rc::gen::inRange(-1300, 1300))));
}

TEST(Rationals, AreTruncatedAroundTheBoundsOfDoubles) {
  for (const int exponent : {-1076, -1075, -1074, -1073, -1023, -1022, -1021, 0, 1022, 1023, 1024}) {
    for (const Rational& nearly : {Rational(1), ratio(power_of(2, 60) - 1, power_of(2, 60)),
                                   ratio(power_of(2, 60) + 1, power_of(2, 60)), Rational(2, 3)}) {
      EXPECT_TRUE(is_truncated(times_power_of_two(nearly, exponent))) << nearly << ", " << exponent;
      EXPECT_TRUE(is_truncated(times_power_of_two(-nearly, exponent))) << nearly << ", " << exponent;
    }
  }
}

}  // namespace
}  // namespace linsep

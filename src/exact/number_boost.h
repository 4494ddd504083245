// exact/number.h on Boost's cpp_int. Included only from there.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace linsep {

inline int sign_of(const Integer& a) { return a.sign(); }
inline int sign_of(const Rational& a) { return a.sign(); }
inline IntegerPart numerator(const Rational& a) { return boost::multiprecision::numerator(a); }
inline IntegerPart denominator(const Rational& a) { return boost::multiprecision::denominator(a); }
// Boost makes no promise for a denominator below 0.
inline Rational ratio(const Integer& p, const Integer& q) { return q.sign() < 0 ? Rational(-p, -q) : Rational(p, q); }

inline std::string to_text(const Integer& a) { return a.str(); }
inline std::string to_text(const Rational& a) {
  const Integer q = denominator(a);
  const std::string top = numerator(a).str();
  return q == 1 ? top : top + '/' + q.str();
}
// Boost's own reader takes a leading zero for octal. Splitting in halves keeps the cost of long texts below quadratic.
inline Integer integer_of(std::string_view digits) {
  constexpr std::size_t kWord = 18;
  if (digits.front() == '-') return -integer_of(digits.substr(1));
  if (digits.size() <= kWord) {
    std::uint64_t value = 0;
    for (const char c : digits) value = 10 * value + static_cast<std::uint64_t>(c - '0');
    return value;
  }
  const std::size_t low = digits.size() / 2;
  const std::size_t high = digits.size() - low;
  return integer_of(digits.substr(0, high)) * power_of(10, low) + integer_of(digits.substr(high));
}
inline Rational rational_of(std::string_view text) {
  const std::size_t bar = text.find('/');
  const Integer p = integer_of(text.substr(0, bar));
  return bar == std::string_view::npos ? Rational(p) : ratio(p, integer_of(text.substr(bar + 1)));
}

inline void add_product(Integer& sum, const Integer& a, const Integer& b) { sum += a * b; }
inline void subtract_product(Integer& sum, const Integer& a, const Integer& b) { sum -= a * b; }
inline void divide_exactly(Integer& a, const Integer& b) { a /= b; }
inline Integer floor_quotient(const Integer& a, const Integer& b) {
  Integer quotient, rest;
  boost::multiprecision::divide_qr(a, b, quotient, rest);
  if (rest.sign() * b.sign() < 0) --quotient;
  return quotient;
}
inline Integer ceiling_quotient(const Integer& a, const Integer& b) { return -floor_quotient(-a, b); }
inline std::uint64_t modulo(const Integer& a, std::uint64_t p) {
  const Integer rest = a % p;
  return static_cast<std::uint64_t>(rest.sign() < 0 ? Integer(rest + p) : rest);
}
inline Integer power_of(std::uint64_t base, std::uint64_t exponent) {
  Integer power = 1;
  Integer square = base;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) power *= square;
    if (exponent > 1) square *= square;
  }
  return power;
}
inline void shrink_to_common_divisor(Integer& divisor, const Integer& a) {
  divisor = boost::multiprecision::gcd(divisor, a);
}
inline void grow_to_common_multiple(Integer& multiple, const Integer& a) {
  multiple = boost::multiprecision::lcm(multiple, a);
}

inline std::uint64_t bit_length(const Integer& a) {
  return a.is_zero() ? 1 : std::uint64_t{boost::multiprecision::msb(boost::multiprecision::abs(a))} + 1;
}
inline std::uint64_t trailing_zero_bits(const Integer& a) {
  return boost::multiprecision::lsb(boost::multiprecision::abs(a));
}
inline Rational times_power_of_two(const Rational& a, std::int64_t exponent) {
  const std::uint64_t size =
      exponent < 0 ? -static_cast<std::uint64_t>(exponent) : static_cast<std::uint64_t>(exponent);
  const Integer power = Integer(1) << size;
  return exponent < 0 ? Rational(a / power) : Rational(a * power);
}
inline bool fits_int64(const Integer& a) {
  return a >= std::numeric_limits<std::int64_t>::min() && a <= std::numeric_limits<std::int64_t>::max();
}
inline std::int64_t to_int64(const Integer& a) { return static_cast<std::int64_t>(a); }
inline double fraction_and_exponent(const Integer& a, std::int64_t* exponent) {
  *exponent = 0;
  if (a.is_zero()) return 0;
  const Integer size = boost::multiprecision::abs(a);
  const auto bits = static_cast<std::int64_t>(bit_length(size));
  const std::int64_t dropped = std::max<std::int64_t>(bits - 53, 0);
  *exponent = bits;
  const auto kept = static_cast<std::int64_t>(Integer(size >> static_cast<std::uint64_t>(dropped)));
  const double fraction = std::ldexp(static_cast<double>(kept), static_cast<int>(dropped - bits));
  return a.sign() < 0 ? -fraction : fraction;
}
// The quotient gets the bits that the double has, which are 53, or fewer if it is subnormal.
inline double approximate(const Rational& a) {
  Integer top = boost::multiprecision::abs(numerator(a));
  Integer bottom = denominator(a);
  const std::int64_t size = static_cast<std::int64_t>(bit_length(top)) - static_cast<std::int64_t>(bit_length(bottom));
  if (top.is_zero() || size < -1074) return 0;
  if (size > 1024) return a.sign() * std::numeric_limits<double>::infinity();
  const std::int64_t unit = std::max<std::int64_t>(size - 53, -1074);
  (unit < 0 ? top : bottom) <<= static_cast<std::uint64_t>(std::abs(unit));
  Integer quotient = top / bottom;
  if (quotient.is_zero()) return 0;
  const std::uint64_t spare = std::max<std::uint64_t>(bit_length(quotient), 53) - 53;
  quotient >>= spare;
  return a.sign() *
         std::ldexp(static_cast<double>(to_int64(quotient)), static_cast<int>(unit) + static_cast<int>(spare));
}

}  // namespace linsep

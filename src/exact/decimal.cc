#include "exact/decimal.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace linsep {

std::optional<Rational> rational_of_decimal(std::string_view text) {
  std::size_t at = 0;
  bool negative = false;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) negative = text[at++] == '-';
  std::string digits;
  long exponent = 0;
  bool point = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '.' && !point) {
      point = true;
    } else if (c >= '0' && c <= '9') {
      digits += c;
      exponent -= point ? 1 : 0;
    } else {
      break;
    }
  }
  if (digits.empty()) return std::nullopt;
  if (at < text.size()) {
    if (text[at] != 'e' && text[at] != 'E') return std::nullopt;
    ++at;
    bool down = false;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) down = text[at++] == '-';
    if (at == text.size()) return std::nullopt;
    long power = 0;
    for (; at < text.size(); ++at) {
      if (text[at] < '0' || text[at] > '9') return std::nullopt;
      power = 10 * power + (text[at] - '0');
      if (power > 9999) return std::nullopt;
    }
    exponent += down ? -power : power;
  }
  Integer mantissa = integer_of(digits);
  if (negative) mantissa = -mantissa;
  if (exponent >= 0) return Rational(mantissa * power_of(10, static_cast<unsigned long>(exponent)));
  return ratio(mantissa, power_of(10, static_cast<unsigned long>(-exponent)));
}

Rational rational_of_double(double value) { return Rational(value); }

std::optional<Rational> rational_of(const WrittenValue& value) {
  if (!value.decimal.empty()) return rational_of_decimal(value.decimal);
  if (!std::isfinite(value.binary)) return std::nullopt;
  return rational_of_double(value.binary);
}

std::string exact_text(const Rational& value) {
  const std::string fraction = to_text(value);
  // q = 2^a·5^b has max(a, b) decimals.
  Integer q = denominator(value);
  std::size_t twos = 0;
  std::size_t fives = 0;
  for (; mpz_divisible_ui_p(q.get_mpz_t(), 2) != 0; ++twos) q /= 2;
  for (; mpz_divisible_ui_p(q.get_mpz_t(), 5) != 0; ++fives) q /= 5;
  const std::size_t places = std::max(twos, fives);
  if (q != 1 || places == 0) return fraction;
  const Integer scaled = numerator(value) * (power_of(10, places) / denominator(value));
  std::string digits = to_text(Integer(abs(scaled)));
  if (digits.size() <= places) digits = std::string(places + 1 - digits.size(), '0') + digits;
  const std::size_t whole = digits.size() - places;
  std::string text = sign_of(value) < 0 ? "-" : "";
  text.append(digits, 0, whole).append(1, '.').append(digits, whole);
  return text.size() <= fraction.size() ? text : fraction;
}

}  // namespace linsep

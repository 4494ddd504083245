#include "exact/decimal.h"

#include <algorithm>
#include <cstdint>

namespace linsep {

Rational rational_of_double(double value) { return Rational(value); }

std::string exact_text(const Rational& value) {
  const std::string fraction = to_text(value);
  // q = 2^a·5^b has max(a, b) decimals.
  Integer q = denominator(value);
  const std::uint64_t twos = trailing_zero_bits(q);
  q >>= twos;
  std::uint64_t fives = 0;
  for (; modulo(q, 5) == 0; ++fives) divide_exactly(q, 5);
  const std::uint64_t places = std::max(twos, fives);
  if (q != 1 || places == 0) return fraction;
  const Integer scaled = numerator(value) * (power_of(10, places) / denominator(value));
  std::string digits = to_text(scaled);
  std::string text = sign_of(value) < 0 ? "-" : "";
  digits.erase(0, text.size());
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  const std::size_t whole = digits.size() - places;
  text.append(digits, 0, whole).append(1, '.').append(digits, whole);
  return text.size() <= fraction.size() ? text : fraction;
}

}  // namespace linsep

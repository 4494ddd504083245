#include "exact/decimal.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

namespace linsep {

Rational rational_of_double(double value) {
  if (!std::isfinite(value)) throw std::logic_error("a bug in linsep: a number that isn't finite can't become exact");
  return Rational(value);
}

double root_below(const Rational& value) {
  if (sign_of(value) == 0) return 0;
  const std::int64_t size = static_cast<std::int64_t>(bit_length(numerator(value))) -
                            static_cast<std::int64_t>(bit_length(denominator(value)));
  const std::int64_t half = size / 2;
  // Near 1 after a scaling by 4^−half. `approximate` rounds towards 0, and so does taking one unit off the root.
  const double root = std::sqrt(approximate(times_power_of_two(value, -2 * half)));
  const auto exponent = static_cast<int>(std::clamp<std::int64_t>(half, -5000, 5000));
  const double scaled = std::ldexp(std::nextafter(root, 0.0), exponent);
  if (scaled < std::numeric_limits<double>::min()) return std::nextafter(scaled, 0.0);  // rounded once more
  return std::isfinite(scaled) ? scaled : std::numeric_limits<double>::max();
}

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

// The exact decimal of a binary number. If e < 0, m·2^e is m·5^(−e) / 10^(−e).
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "proof/canonical.h"

namespace linsep {
namespace {

__extension__ using Wide = unsigned __int128;

// A natural number below 2^2560, lowest limb first. Every double's m·2^e or m·5^k fits.
struct Limbs {
  std::array<std::uint64_t, 40> limb{};
  std::size_t size = 0;

  void multiply(std::uint64_t factor) {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const Wide product = static_cast<Wide>(limb[i]) * factor + carry;
      limb[i] = static_cast<std::uint64_t>(product);
      carry = static_cast<std::uint64_t>(product >> 64);
    }
    if (carry != 0) limb[size++] = carry;
  }
  std::uint64_t divide(std::uint64_t divisor) {
    std::uint64_t rest = 0;
    for (std::size_t i = size; i-- > 0;) {
      const Wide part = static_cast<Wide>(rest) << 64 | limb[i];
      limb[i] = static_cast<std::uint64_t>(part / divisor);
      rest = static_cast<std::uint64_t>(part % divisor);
    }
    while (size > 0 && limb[size - 1] == 0) --size;
    return rest;
  }
};

constexpr std::uint64_t kTen19 = 10'000'000'000'000'000'000ULL;
constexpr int kFives = 27;  // 5^27 is the largest power of 5 in 64 bits

std::uint64_t power(std::uint64_t base, int exponent) {
  std::uint64_t result = 1;
  for (; exponent > 0; --exponent) result *= base;
  return result;
}

void multiply_by_power(Limbs& number, std::uint64_t base, int exponent, int most) {
  const std::uint64_t step = power(base, most);
  for (; exponent >= most; exponent -= most) number.multiply(step);
  if (exponent > 0) number.multiply(power(base, exponent));
}

std::string decimal_digits(Limbs number) {
  std::string reversed;
  while (number.size > 0) {
    std::uint64_t part = number.divide(kTen19);
    for (int i = 0; i < 19 && (number.size > 0 || part > 0); ++i, part /= 10) {
      reversed += static_cast<char>('0' + part % 10);
    }
  }
  std::ranges::reverse(reversed);
  return reversed;
}

/// |value| = mantissa·2^exponent with an odd mantissa. REQUIRES: finite, not 0.
struct Dyadic {
  std::uint64_t mantissa;
  int exponent;
};
Dyadic dyadic(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const int biased = static_cast<int>(bits >> 52 & 0x7ff);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const std::uint64_t mantissa = biased == 0 ? fraction : fraction | std::uint64_t{1} << 52;
  const int zeros = std::countr_zero(mantissa);
  return {mantissa >> zeros, std::max(biased, 1) - 1075 + zeros};
}

/// 5^k for k ≤ 55, which are all that fit in 128 bits.
constexpr std::array<Wide, 56> kFivePowers = [] {
  std::array<Wide, 56> powers{1};
  for (std::size_t k = 1; k < powers.size(); ++k) powers[k] = powers[k - 1] * 5;
  return powers;
}();

int bit_width(Wide number) {
  const auto high = static_cast<std::uint64_t>(number >> 64);
  return high != 0 ? 64 + static_cast<int>(std::bit_width(high))
                   : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(number)));
}

/// The digits of a number, with a point before the last `places` of them.
void append_small(Wide number, std::size_t places, std::string& out) {
  std::array<char, 40> digits;
  char* const end = digits.data() + digits.size();
  char* begin = end;
  while (number > 0) {
    auto part = static_cast<std::uint64_t>(number % kTen19);
    number /= kTen19;
    for (int i = 0; number > 0 ? i < 19 : part > 0; ++i, part /= 10) *--begin = static_cast<char>('0' + part % 10);
  }
  const auto size = static_cast<std::size_t>(end - begin);
  if (places == 0) {
    out.append(begin, size);
  } else if (size <= places) {
    out += "0.";
    out.append(places - size, '0');
    out.append(begin, size);
  } else {
    out.append(begin, size - places);
    out += '.';
    out.append(begin + (size - places), places);
  }
}

/// The same text as below if 128 bits are enough, as they are for all floats from 2⁻²⁰ to 2¹²⁸ and for most doubles
/// that people write.
bool append_small(const Dyadic& number, bool negative, std::string& out) {
  const int fives = std::max(-number.exponent, 0), twos = std::max(number.exponent, 0);
  if (fives >= static_cast<int>(kFivePowers.size())) return false;
  const Wide factor = kFivePowers[static_cast<std::size_t>(fives)];
  if (bit_width(Wide{number.mantissa}) + bit_width(factor) + twos > 128) return false;
  if (negative) out += '-';
  append_small(number.mantissa * factor << twos, static_cast<std::size_t>(fives), out);
  return true;
}

}  // namespace

bool append_canonical(double value, std::string& out) {
  if (!std::isfinite(value)) return false;
  if (value == 0) {
    out += '0';
    return true;
  }
  const Dyadic parts = dyadic(value);
  return append_small(parts, value < 0, out) || append_any_canonical(value, out);
}

bool append_any_canonical(double value, std::string& out) {
  if (!std::isfinite(value)) return false;
  if (value == 0) {
    out += '0';
    return true;
  }
  const auto [mantissa, exponent] = dyadic(value);
  Limbs number;
  number.limb[0] = mantissa;
  number.size = 1;
  std::string text = value < 0 ? "-" : "";
  if (exponent >= 0) {
    multiply_by_power(number, 2, exponent, 63);
    text += decimal_digits(number);
  } else {
    multiply_by_power(number, 5, -exponent, kFives);
    const std::string digits = decimal_digits(number);
    const auto places = static_cast<std::size_t>(-exponent);
    if (digits.size() <= places) {
      text += "0.";
      text.append(places - digits.size(), '0');
      text += digits;
    } else {
      text += digits.substr(0, digits.size() - places);
      text += '.';
      text += digits.substr(digits.size() - places);
    }
  }
  out += text;
  return true;
}

}  // namespace linsep

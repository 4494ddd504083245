// The exact decimal of a binary number: m·2^e with e < 0 is m·5^(−e) / 10^(−e).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "proof/canonical.h"

namespace linsep {
namespace {

__extension__ using Wide = unsigned __int128;

// A natural number below 2^2560, lowest limb first: every double's m·2^e or m·5^k fits.
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
constexpr int kFives = 27;  // 5^27 is the greatest power of 5 in 64 bits

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

}  // namespace

bool append_canonical(double value, std::string& out) {
  if (!std::isfinite(value)) return false;
  if (value == 0) {
    out += '0';
    return true;
  }
  int exponent = 0;
  auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(std::fabs(value), &exponent), 53));
  exponent -= 53;
  for (; mantissa % 2 == 0; ++exponent) mantissa /= 2;
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

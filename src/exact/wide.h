// Machine integers of 128 bits, and integers of any length made of them.
#pragma once

#include <cstdint>

#include "exact/number.h"

namespace linsep {

__extension__ using WideInteger = __int128;

inline Integer integer_of_wide(WideInteger value) {
  const bool negative = value < 0;
  __extension__ using Unsigned = unsigned __int128;
  const Unsigned size = negative ? -static_cast<Unsigned>(value) : static_cast<Unsigned>(value);
  constexpr std::uint64_t kHalf = 0xffffffff;
  Integer result = 0;
  for (int shift = 96; shift >= 0; shift -= 32) {
    result <<= 32;
    result += static_cast<std::int64_t>(static_cast<std::uint64_t>(size >> shift) & kHalf);
  }
  return negative ? Integer(-result) : result;
}

/// REQUIRES: −2¹²⁰ < value < 2¹²⁰.
inline WideInteger wide_of(const Integer& value) {
  constexpr std::uint64_t kUnit = std::uint64_t{1} << 62;
  const Integer high = floor_quotient(value, power_of(2, 62));
  return static_cast<WideInteger>(to_int64(high)) * kUnit + modulo(value, kUnit);
}

}  // namespace linsep

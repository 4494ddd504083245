// Converts 16-bit floats to floats, exactly.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace linsep {

/// Converts IEEE 754's binary16 to floats. Every version gives the same values, and a NaN stays one.
void widen_float16(const std::uint16_t* from, std::size_t count, float* to);

namespace scalar {
/// The oracle of every version. A float has 13 more bits of fraction, and its exponents are larger by 112.
inline float widen_float16(std::uint16_t half) {
  constexpr std::uint32_t kBias = std::uint32_t{112} << 23;
  constexpr std::uint32_t kLeastNormal = std::uint32_t{113} << 23;  // 2^-14
  const std::uint32_t size = (half & 0x7fffU) << 13;
  const std::uint32_t exponent = half & 0x7c00U;
  std::uint32_t bits = size + kBias;
  if (exponent == 0x7c00U) bits += kBias;  // infinity and NaN
  // Below 2^-14 the fraction counts multiples of 2^-24, so 2^-14 with that fraction, less 2^-14, is exact.
  if (exponent == 0) {
    const float small = std::bit_cast<float>(size + kLeastNormal) - std::bit_cast<float>(kLeastNormal);
    bits = std::bit_cast<std::uint32_t>(small);
  }
  return std::bit_cast<float>(bits | (half & 0x8000U) << 16);
}
}  // namespace scalar

}  // namespace linsep

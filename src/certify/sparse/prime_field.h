// Arithmetic modulo p = 2³¹ − 1. Numbers lie from 0 to p − 1.
#pragma once

#include <cstdint>

namespace linsep {

constexpr std::uint32_t kFieldPrime = (std::uint32_t{1} << 31) - 1;

/// a modulo p, of any a.
inline std::uint32_t fold(std::uint64_t a) {
  a = (a & kFieldPrime) + (a >> 31);
  a = (a & kFieldPrime) + (a >> 31);
  return static_cast<std::uint32_t>(a >= kFieldPrime ? a - kFieldPrime : a);
}
inline std::uint32_t field_times(std::uint32_t a, std::uint32_t b) { return fold(std::uint64_t{a} * b); }
inline std::uint32_t field_minus(std::uint32_t a) { return a == 0 ? 0 : kFieldPrime - a; }
/// REQUIRES: a ≠ 0.
inline std::uint32_t field_inverse(std::uint32_t a) {
  std::uint32_t result = 1;
  for (std::uint32_t e = kFieldPrime - 2; e > 0; e >>= 1) {
    if ((e & 1) != 0) result = field_times(result, a);
    a = field_times(a, a);
  }
  return result;
}

}  // namespace linsep

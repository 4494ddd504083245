// The capabilities of an x86-64 processor, as far as the system lets programs use them. Nothing of this exists on other
// processors.
#pragma once

#if defined(__x86_64__)
#include <cpuid.h>

#include <cstdint>

namespace linsep {
namespace cpu {

struct Words {
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
};

inline Words cpuid(std::uint32_t leaf) {
  Words words;
  if (__get_cpuid_max(0, nullptr) >= leaf) __cpuid_count(leaf, 0, words.a, words.b, words.c, words.d);
  return words;
}

/// The registers that the system saves. Bit 1 is SSE, 2 AVX, 5 to 7 AVX-512.
inline std::uint32_t saved_registers() {
  constexpr std::uint32_t kOsxsave = 1U << 27;
  if ((cpuid(1).c & kOsxsave) == 0) return 0;
  std::uint32_t low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

constexpr bool all(std::uint32_t word, std::uint32_t bits) { return (word & bits) == bits; }

}  // namespace cpu

/// AVX2 with BMI, BMI2 and POPCNT.
inline bool cpu_has_avx2() {
  const cpu::Words one = cpu::cpuid(1), seven = cpu::cpuid(7);
  return cpu::all(cpu::saved_registers(), 0x6) && cpu::all(one.c, bit_POPCNT | bit_AVX) &&
         cpu::all(seven.b, bit_AVX2 | bit_BMI | bit_BMI2);
}

/// The AVX-512 of Ice Lake and of Zen 4: F, BW, VL, DQ, VBMI, VBMI2 and BITALG, with all of cpu_has_avx2.
inline bool cpu_has_avx512() {
  const cpu::Words seven = cpu::cpuid(7);
  return cpu_has_avx2() && cpu::all(cpu::saved_registers(), 0xe6) &&
         cpu::all(seven.b, bit_AVX512F | bit_AVX512BW | bit_AVX512VL | bit_AVX512DQ) &&
         cpu::all(seven.c, bit_AVX512VBMI | bit_AVX512VBMI2 | bit_AVX512BITALG);
}

/// The instructions for SHA-256, with SSE 4.1.
inline bool cpu_has_sha() {
  return cpu::all(cpu::cpuid(1).c, bit_SSE4_1 | bit_SSSE3) && cpu::all(cpu::cpuid(7).b, bit_SHA);
}

}  // namespace linsep
#endif

// AVX2 takes 64 bytes at a time as two vectors, and marks bit by bit.
#include "core/cpu.h"
#include "table/words/keys.h"
#include "table/words/words.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include <bit>
#include <cstring>

// Only these functions are compiled for these instructions, not the rest of the library.
#define LINSEP_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))

namespace linsep::words {
namespace {

LINSEP_AVX2 std::uint64_t bits_of(__m256i low, __m256i high) {
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(low)) |
         static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(high))) << 32;
}

/// Sets all bits of the bytes from `first` to `last`.
LINSEP_AVX2 __m256i between(__m256i bytes, char first, char last) {
  const __m256i from_first = _mm256_sub_epi8(bytes, _mm256_set1_epi8(first));
  const __m256i most = _mm256_set1_epi8(static_cast<char>(last - first));
  return _mm256_cmpeq_epi8(_mm256_min_epu8(from_first, most), from_first);
}

/// Lowers ASCII and turns separators into blanks.
LINSEP_AVX2 __m256i spread_ascii(__m256i bytes) {
  const __m256i blank = _mm256_set1_epi8(' ');
  const __m256i underscore = _mm256_set1_epi8('_');
  const __m256i lowered = _mm256_or_si256(bytes, blank);  // digits have that bit, and it lowers letters
  const __m256i kept = _mm256_or_si256(between(lowered, 'a', 'z'), between(bytes, '0', '9'));
  const __m256i words = _mm256_blendv_epi8(blank, lowered, kept);
  return _mm256_blendv_epi8(words, underscore, _mm256_cmpeq_epi8(bytes, underscore));
}

LINSEP_AVX2 std::size_t spread(std::string_view text, char* out) {
  char* const begin = out;
  *out++ = ' ';
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    const auto left = static_cast<std::size_t>(end - at);
    char tail[64];
    const char* from = at;
    if (left < 64) {
      std::memset(tail, ' ', sizeof tail);
      std::memcpy(tail, at, left);
      from = tail;
    }
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + 32));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), spread_ascii(low));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + 32), spread_ascii(high));
    const std::uint64_t others = bits_of(low, high);
    const std::size_t plain = others != 0 ? static_cast<std::size_t>(std::countr_zero(others)) : left < 64 ? left : 64;
    at += plain;
    out += plain;
    if (others != 0) out = spread_others(at, end, out);
  }
  *out++ = ' ';
  return static_cast<std::size_t>(out - begin);
}

/// Writes the positions of the bits of `bits`, counted from `base`. May write up to seven more.
LINSEP_AVX2 void store_marks(std::uint32_t* out, std::uint64_t bits, std::size_t base, unsigned count) {
  constexpr unsigned kAtOnce = 8;
  for (unsigned done = 0; done < count; done += kAtOnce) {
    for (unsigned i = 0; i < kAtOnce; ++i) {
      out[done + i] = static_cast<std::uint32_t>(base + static_cast<std::size_t>(_tzcnt_u64(bits)));
      bits = _blsr_u64(bits);
    }
  }
}

LINSEP_AVX2 std::size_t mark(const char* spread, std::size_t size, std::uint32_t* marks) {
  std::size_t count = 0;
  std::uint64_t before = 0;  // 1 if the last byte was part of a word
  const __m256i blank = _mm256_set1_epi8(' ');
  for (std::size_t at = 0; at < size; at += 64) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(spread + at));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(spread + at + 32));
    std::uint64_t words = ~bits_of(_mm256_cmpeq_epi8(low, blank), _mm256_cmpeq_epi8(high, blank));
    if (size - at < 64) words = _bzhi_u64(words, static_cast<unsigned>(size - at));
    const std::uint64_t turns = words ^ (words << 1 | before);
    before = words >> 63;
    const auto found = static_cast<unsigned>(std::popcount(turns));
    store_marks(marks + count, turns, at, found);
    count += found;
  }
  return count;
}

}  // namespace

const Version kAvx2 = {"avx2", cpu_has_avx2, spread, mark, keys_of_windows};

}  // namespace linsep::words

#endif

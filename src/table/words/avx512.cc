// AVX-512 takes 64 bytes at a time, marks by compress, and makes eight keys at a time.
#include "core/cpu.h"
#include "table/words/keys.h"
#include "table/words/words.h"

#if defined(__x86_64__)

// GCC 12 mistakes the undefined sources in its own AVX-512 headers for errors (its bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#include <immintrin.h>

#include <bit>

// Only these functions are compiled for these instructions, not the rest of the library.
#define LINSEP_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi2,bmi,bmi2,popcnt")))

namespace linsep::words {
namespace {

LINSEP_AVX512 __mmask64 between(__m512i bytes, char first, char last) {
  const __m512i from_first = _mm512_sub_epi8(bytes, _mm512_set1_epi8(first));
  return _mm512_cmple_epu8_mask(from_first, _mm512_set1_epi8(static_cast<char>(last - first)));
}

LINSEP_AVX512 std::size_t spread(std::string_view text, char* out) {
  char* const begin = out;
  *out++ = ' ';
  const char* at = text.data();
  const char* const end = at + text.size();
  const __m512i blank = _mm512_set1_epi8(' ');
  const __m512i underscore = _mm512_set1_epi8('_');
  while (at < end) {
    const auto left = static_cast<std::size_t>(end - at);
    const __m512i bytes = left >= 64 ? _mm512_loadu_si512(at) : _mm512_maskz_loadu_epi8(_bzhi_u64(~0ULL, left), at);
    const __m512i lowered = _mm512_or_si512(bytes, blank);  // digits have that bit, and it lowers letters
    const __mmask64 kept = between(lowered, 'a', 'z') | between(bytes, '0', '9');
    const __m512i words = _mm512_mask_mov_epi8(blank, kept, lowered);
    _mm512_storeu_si512(out, _mm512_mask_mov_epi8(words, _mm512_cmpeq_epi8_mask(bytes, underscore), underscore));
    const std::uint64_t others = _mm512_movepi8_mask(bytes);
    const std::size_t plain = others != 0 ? static_cast<std::size_t>(std::countr_zero(others)) : left < 64 ? left : 64;
    at += plain;
    out += plain;
    if (others != 0) out = spread_others(at, end, out);
  }
  *out++ = ' ';
  return static_cast<std::size_t>(out - begin);
}

alignas(64) constexpr std::uint8_t kCountUp[64] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                                   16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                                   32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                                   48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

/// Writes the positions of the bits of `bits`, counted from `base`. Up to 64 are written, of which `count` matter.
LINSEP_AVX512 void store_marks(std::uint32_t* out, std::uint64_t bits, std::size_t base, unsigned count) {
  const __m512i positions = _mm512_maskz_compress_epi8(bits, _mm512_load_si512(kCountUp));
  const __m512i offset = _mm512_set1_epi32(static_cast<int>(base));
  _mm512_storeu_si512(out, _mm512_add_epi32(offset, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(positions))));
  if (count <= 16) return;
  _mm512_storeu_si512(out + 16,
                      _mm512_add_epi32(offset, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(positions, 1))));
  if (count <= 32) return;
  _mm512_storeu_si512(out + 32,
                      _mm512_add_epi32(offset, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(positions, 2))));
  _mm512_storeu_si512(out + 48,
                      _mm512_add_epi32(offset, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(positions, 3))));
}

LINSEP_AVX512 std::size_t mark(const char* spread, std::size_t size, std::uint32_t* marks) {
  std::size_t count = 0;
  std::uint64_t before = 0;  // 1 if the last byte was part of a word
  for (std::size_t at = 0; at < size; at += 64) {
    std::uint64_t words = _mm512_cmpneq_epi8_mask(_mm512_loadu_si512(spread + at), _mm512_set1_epi8(' '));
    if (size - at < 64) words = _bzhi_u64(words, size - at);
    const std::uint64_t turns = words ^ (words << 1 | before);
    before = words >> 63;
    const auto found = static_cast<unsigned>(std::popcount(turns));
    store_marks(marks + count, turns, at, found);
    count += found;
  }
  return count;
}

LINSEP_AVX512 __m512i times(__m512i h, std::uint64_t factor) {
  return _mm512_mullo_epi64(h, _mm512_set1_epi64(static_cast<std::int64_t>(factor)));
}
LINSEP_AVX512 __m512i all(std::uint64_t value) { return _mm512_set1_epi64(static_cast<std::int64_t>(value)); }

/// XXH3 of the lowest three bytes of each number. The constants are those of its specification.
LINSEP_AVX512 __m512i keys_of_3(__m512i bytes) {
  const __m512i first = _mm512_slli_epi64(_mm512_and_si512(bytes, all(0xffff)), 16);
  const __m512i last = _mm512_and_si512(_mm512_srli_epi64(bytes, 16), all(0xff));
  __m512i h = _mm512_xor_si512(_mm512_or_si512(first, last), all(0x300U ^ 0x87275a9bU));
  h = times(h, 0xC2B2AE3D27D4EB4FU);
  h = times(_mm512_xor_si512(h, _mm512_srli_epi64(h, 29)), 0x165667B19E3779F9U);
  return _mm512_xor_si512(h, _mm512_srli_epi64(h, 32));
}

/// XXH3 of the lowest 4 to 8 bytes.
LINSEP_AVX512 __m512i keys_of_4_to_8(__m512i bytes, std::size_t length) {
  constexpr std::uint64_t kFactor = 0x9FB21C651E98DF25U;
  const __m512i end = _mm512_srl_epi64(bytes, _mm_cvtsi64_si128(static_cast<std::int64_t>(8 * (length - 4))));
  const __m512i both = _mm512_or_si512(_mm512_and_si512(end, all(0xffffffff)), _mm512_slli_epi64(bytes, 32));
  __m512i h = _mm512_xor_si512(both, all(0xc73ab174c5ecd5a2U));
  h = _mm512_xor_si512(h, _mm512_xor_si512(_mm512_rol_epi64(h, 49), _mm512_rol_epi64(h, 24)));
  h = times(h, kFactor);
  h = times(_mm512_xor_si512(h, _mm512_add_epi64(_mm512_srli_epi64(h, 35), all(length))), kFactor);
  return _mm512_xor_si512(h, _mm512_srli_epi64(h, 28));
}

LINSEP_AVX512 void window_keys(const char* spread, const std::uint32_t* begin, std::size_t count, std::size_t length,
                               std::uint64_t* keys) {
  if (length < 3 || length > 8) return keys_of_windows(spread, begin, count, length, keys);
  for (std::size_t i = 0; i < count; i += 8) {
    const auto live = static_cast<__mmask8>(count - i >= 8 ? 0xff : (1U << (count - i)) - 1);
    const __m512i at = _mm512_cvtepu32_epi64(_mm256_maskz_loadu_epi32(live, begin + i));
    const __m512i bytes = _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), live, at, spread, 1);
    _mm512_mask_storeu_epi64(keys + i, live, length == 3 ? keys_of_3(bytes) : keys_of_4_to_8(bytes, length));
  }
}

}  // namespace

const Version kAvx512 = {"avx512", cpu_has_avx512, spread, mark, window_keys};

}  // namespace linsep::words

#endif

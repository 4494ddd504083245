// AVX-512 marks by compress, and converts eight tokens at a time.
#include "core/cpu.h"
#include "format/svmlight/fast.h"

#if defined(__x86_64__)

// GCC 12 mistakes the undefined sources in its own AVX-512 headers for errors (its bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#include <immintrin.h>

// Only these functions are compiled for these instructions, not the rest of the library.
#define LINSEP_AVX512 \
  __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2,avx512bitalg,bmi,bmi2,popcnt")))

namespace linsep::svmlight {
namespace {

constexpr std::uint32_t kGroup = 8;

/// The bits that count if a group has fewer than eight tokens.
struct Live {
  std::uint32_t lengths;    ///< two bits per token
  std::uint32_t tokens;     ///< one bit per token
  std::uint64_t index;      ///< eight bits per token
  std::uint64_t even, odd;  ///< sixteen bits per token, for tokens 0, 2, 4, 6 and 1, 3, 5, 7
};
constexpr std::uint64_t ones(unsigned count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}
constexpr Live live_tokens(unsigned count) {
  return {static_cast<std::uint32_t>(ones(2 * count)), static_cast<std::uint32_t>(ones(count)), ones(8 * count),
          ones(16 * ((count + 1) / 2)), ones(16 * (count / 2))};
}
constexpr Live kLive[kGroup + 1] = {live_tokens(0), live_tokens(1), live_tokens(2), live_tokens(3), live_tokens(4),
                                    live_tokens(5), live_tokens(6), live_tokens(7), live_tokens(8)};

alignas(64) constexpr std::uint8_t kCountUp[64] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                                   16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                                   32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                                   48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

/// Powers of ten by the number of digits after the point, as two vectors of eight.
alignas(64) constexpr double kPowers[16] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                            1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

/// Writes the positions of the bits of `bits`, counted from `base`. May write up to 64 marks, of which `count` matter.
LINSEP_AVX512 inline void store_marks(std::uint32_t* out, std::uint64_t bits, std::uint32_t base, unsigned count) {
  const __m512i positions = _mm512_maskz_compress_epi8(bits, _mm512_load_si512(kCountUp));
  const __m512i offset = _mm512_set1_epi32(static_cast<int>(base));
  _mm512_storeu_si512(out, _mm512_add_epi32(offset, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(positions))));
  if (count <= 16) [[likely]]
    return;
  _mm512_storeu_si512(out + 16,
                      _mm512_add_epi32(offset, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(positions, 1))));
  if (count <= 32) return;
  _mm512_storeu_si512(out + 32,
                      _mm512_add_epi32(offset, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(positions, 2))));
  _mm512_storeu_si512(out + 48,
                      _mm512_add_epi32(offset, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(positions, 3))));
}

/// Eight indices of up to eight digits, each read as the eight bytes before its colon. In each 64 bits of `lengths`,
/// the low half is the index's length plus one. `odd` has the bits of bytes that aren't digits.
LINSEP_AVX512 inline __m256i convert_indices(const char* text, const std::uint32_t* mark, __m512i lengths,
                                             std::uint64_t& odd) {
  const char* before = text - 8;
  const __m128i t01 = _mm_unpacklo_epi64(_mm_loadu_si64(before + mark[1]), _mm_loadu_si64(before + mark[3]));
  const __m128i t23 = _mm_unpacklo_epi64(_mm_loadu_si64(before + mark[5]), _mm_loadu_si64(before + mark[7]));
  const __m128i t45 = _mm_unpacklo_epi64(_mm_loadu_si64(before + mark[9]), _mm_loadu_si64(before + mark[11]));
  const __m128i t67 = _mm_unpacklo_epi64(_mm_loadu_si64(before + mark[13]), _mm_loadu_si64(before + mark[15]));
  const __m512i bytes =
      _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_set_m128i(t23, t01)), _mm256_set_m128i(t67, t45), 1);
  const __m512i length = _mm512_and_si512(lengths, _mm512_set1_epi64(0xffffffff));
  const __m512i others = _mm512_sub_epi64(_mm512_set1_epi64(72), _mm512_slli_epi64(length, 3));
  const __m512i inside = _mm512_sllv_epi64(_mm512_set1_epi64(-1), others);
  const __m512i digits = _mm512_and_si512(_mm512_sub_epi8(bytes, _mm512_set1_epi8('0')), inside);
  odd = _mm512_cmpgt_epu8_mask(digits, _mm512_set1_epi8(9));
  const __m512i twos = _mm512_maddubs_epi16(digits, _mm512_set1_epi16(0x010a));
  const __m512i fours = _mm512_madd_epi16(twos, _mm512_set1_epi32(0x00010064));
  const __m512i halves = _mm512_madd_epi16(fours, _mm512_set1_epi64(0x0000000100002710));
  return _mm512_cvtepi64_epi32(_mm512_add_epi64(halves, _mm512_srli_epi64(halves, 32)));
}

/// The 16 bytes before each of four marks.
LINSEP_AVX512 inline __m512i load_values(const char* text, std::uint32_t a, std::uint32_t b, std::uint32_t c,
                                         std::uint32_t d) {
  const auto* before = text - 16;
  const __m256i low =
      _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(before + a))),
                              _mm_loadu_si128(reinterpret_cast<const __m128i*>(before + b)), 1);
  const __m256i high =
      _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(before + c))),
                              _mm_loadu_si128(reinterpret_cast<const __m128i*>(before + d)), 1);
  return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/// Four values, sixteen bytes each. Combines every four digits into one number, without the point. Every byte of a
/// token's sixteen in `length` is the token's length plus one.
LINSEP_AVX512 inline __m512i convert_fours(__m512i bytes, __m512i length, TokenShape& shape) {
  const __m512i to_end = _mm512_set4_epi32(0x01020304, 0x05060708, 0x090a0b0c, 0x0d0e0f10);  // 16 less the index
  const __m512i digits = _mm512_sub_epi8(bytes, _mm512_set1_epi8('0'));
  TokenBits bits;
  const __mmask64 token = _mm512_cmpgt_epi8_mask(length, to_end);
  const __mmask64 digit = _mm512_mask_cmple_epu8_mask(token, digits, _mm512_set1_epi8(9));
  bits.token = token;
  bits.digit = digit;
  bits.point = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('.'));
  bits.minus = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('-'));
  shape = shape_of(bits);
  const __m512i kept = _mm512_maskz_mov_epi8(digit, digits);
  const __m512i whole = _mm512_mask_mov_epi8(kept, shape.shift, _mm512_bslli_epi128(kept, 1));
  return _mm512_madd_epi16(_mm512_maddubs_epi16(whole, _mm512_set1_epi16(0x010a)), _mm512_set1_epi32(0x00010064));
}

/// Arranges the sixteen bits of tokens 0, 2, 4, 6 and of 1, 3, 5, 7 in the order of the tokens.
LINSEP_AVX512 inline __m128i interleave(std::uint64_t even, std::uint64_t odd) {
  return _mm_unpacklo_epi16(_mm_cvtsi64_si128(static_cast<long long>(even)),
                            _mm_cvtsi64_si128(static_cast<long long>(odd)));
}

/// Eight values of up to 15 bytes, as correctly rounded doubles: integers below 10¹⁵, divided by at most 10¹⁵.
LINSEP_AVX512 inline __m512d convert_values(const char* text, const std::uint32_t* mark, __m512i lengths,
                                            TokenShape& even, TokenShape& odd) {
  const __m512i lane = _mm512_set_epi64(0x3030303030303030, 0x3030303030303030, 0x2020202020202020, 0x2020202020202020,
                                        0x1010101010101010, 0x1010101010101010, 0, 0);
  const __m512i even_length = _mm512_permutexvar_epi8(_mm512_add_epi8(lane, _mm512_set1_epi8(4)), lengths);
  const __m512i odd_length = _mm512_permutexvar_epi8(_mm512_add_epi8(lane, _mm512_set1_epi8(12)), lengths);
  const __m512i even_fours = convert_fours(load_values(text, mark[2], mark[6], mark[10], mark[14]), even_length, even);
  const __m512i odd_fours = convert_fours(load_values(text, mark[4], mark[8], mark[12], mark[16]), odd_length, odd);
  // Packing puts even and odd tokens side by side, so from here on they are in order.
  const __m512i fours = _mm512_packus_epi32(even_fours, odd_fours);
  const __m512i eights = _mm512_madd_epi16(fours, _mm512_set1_epi32(0x00012710));
  const __m512i whole =
      _mm512_add_epi64(_mm512_mul_epu32(eights, _mm512_set1_epi64(100000000)), _mm512_srli_epi64(eights, 32));
  const __m128i below = _mm_popcnt_epi16(interleave(even.below, odd.below));
  const __m512i fraction = _mm512_sub_epi64(_mm512_set1_epi64(16), _mm512_cvtepu16_epi64(below));
  const __m512d power = _mm512_permutex2var_pd(_mm512_load_pd(kPowers), fraction, _mm512_load_pd(kPowers + 8));
  const __m512d size = _mm512_div_pd(_mm512_cvtepu64_pd(whole), power);
  const __mmask8 minus = _mm_test_epi16_mask(interleave(even.minus, odd.minus), _mm_set1_epi16(-1));
  const __m512i sign = _mm512_maskz_set1_epi64(minus, static_cast<long long>(std::uint64_t{1} << 63));
  return _mm512_or_pd(size, _mm512_castsi512_pd(sign));
}

/// Marks the values that rounding from double to float would round a second time (see number.cc). They are in the range
/// of normal floats.
LINSEP_AVX512 inline __mmask8 half_way(__m512d value) {
  return _mm512_cmpeq_epi64_mask(_mm512_and_si512(_mm512_castpd_si512(value), _mm512_set1_epi64(0x1fffffff)),
                                 _mm512_set1_epi64(0x10000000));
}

LINSEP_AVX512 inline void store_values(float* out, __m512d value) { _mm256_storeu_ps(out, _mm512_cvtpd_ps(value)); }
LINSEP_AVX512 inline void store_values(double* out, __m512d value) { _mm512_storeu_pd(out, value); }

struct Avx512 {
  LINSEP_AVX512 static bool scan(const char* text, std::uint32_t bytes, Marks& marks) {
    std::uint64_t after_blank = 1;  // whether the byte before the block is a blank. The beginning counts as one
    std::uint64_t after_colon = 0;  // whether the last mark is a colon
    std::uint64_t after_return = 0;
    std::uint64_t bad = 0;
    std::uint32_t count = 0;
    std::uint32_t colons = 0;
    std::uint32_t lines = 0;
    for (std::uint32_t at = 0; at < bytes; at += 64) {
      const __m512i block = _mm512_loadu_si512(text + at);
      const std::uint64_t inside = bytes - at >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (bytes - at)) - 1;
      const std::uint64_t blank = _mm512_cmple_epu8_mask(block, _mm512_set1_epi8(' ')) & inside;
      const std::uint64_t colon = _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(':')) & inside;
      std::uint64_t newline = _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8('\n')) & inside;
      const std::uint64_t space = _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(' '));
      const std::uint64_t other = blank & ~newline & ~space;
      bad |= after_return & ~newline;
      after_return = 0;
      if (other != 0) [[unlikely]] {
        const std::uint64_t tab = _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8('\t'));
        const std::uint64_t back = _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8('\r')) & inside;
        bad |= other & ~tab & ~back;
        bad |= (back << 1) & ~newline;
        after_return = back >> 63;
      }
      const std::uint64_t end = blank & ~(blank << 1 | after_blank);
      after_blank = blank >> 63;
      const std::uint64_t mark = end | colon;
      const auto here = static_cast<unsigned>(_mm_popcnt_u64(mark));
      const std::uint64_t kinds = _pext_u64(colon, mark);
      bad |= kinds & (kinds << 1 | after_colon);
      after_colon = here != 0 ? kinds >> (here - 1) : after_colon;
      store_marks(marks.mark + count, mark, at, here);
      for (; newline != 0; newline &= newline - 1) {
        const std::uint64_t up_to = newline ^ (newline - 1);
        marks.line_end[lines] = at + static_cast<std::uint32_t>(_tzcnt_u64(newline));
        marks.line_mark[lines] = count + static_cast<std::uint32_t>(_mm_popcnt_u64(mark & up_to));
        marks.line_colon[lines++] = colons + static_cast<std::uint32_t>(_mm_popcnt_u64(colon & up_to));
      }
      count += here;
      colons += static_cast<std::uint32_t>(_mm_popcnt_u64(colon));
    }
    marks.marks = count;
    marks.colons = colons;
    marks.lines = lines;
    return bad == 0;
  }

  template <class V>
  LINSEP_AVX512 static bool read_entries(const char* text, const std::uint32_t* mark, std::uint32_t count,
                                         std::uint32_t* column, V* value, Patience& patience) {
    __m256i previous = _mm256_setzero_si256();  // its last index is used
    for (std::uint32_t done = 0; done < count; done += kGroup, mark += 2 * kGroup) {
      const Live& live = kLive[std::min(count - done, kGroup)];
      // Each pair of 32 bits holds the length of the index plus one and the length of the value plus one.
      const __m512i lengths = _mm512_sub_epi32(_mm512_loadu_si512(mark + 1), _mm512_loadu_si512(mark));
      const std::uint32_t long_one = _mm512_cmpgt_epu32_mask(_mm512_sub_epi32(lengths, _mm512_set1_epi32(2)),
                                                             _mm512_set1_epi64(0x0000000e00000007));
      std::uint64_t odd_index = 0;
      const __m256i index = convert_indices(text, mark, lengths, odd_index);
      const std::uint32_t falling = _mm256_cmple_epu32_mask(index, _mm256_alignr_epi32(index, previous, 7));
      TokenShape even;
      TokenShape odd;
      const __m512d values = convert_values(text, mark, lengths, even, odd);
      std::uint32_t bad_tokens = falling;
      if constexpr (sizeof(V) == sizeof(float)) bad_tokens |= half_way(values);
      const std::uint64_t bad = (long_one & live.lengths) | (bad_tokens & live.tokens) | (odd_index & live.index) |
                                (even.odd & live.even) | (odd.odd & live.odd);
      if (bad != 0) [[unlikely]] {
        patience.lose();
        std::uint64_t last = done > 0 ? std::uint64_t{column[done - 1]} + 1 : 0;
        if (!read_tokens(text, mark, std::min(count - done, kGroup), last, column + done, value + done)) return false;
        previous = _mm256_set1_epi32(static_cast<int>(last));
        continue;
      }
      patience.gain();
      previous = index;
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(column + done), _mm256_sub_epi32(index, _mm256_set1_epi32(1)));
      store_values(value + done, values);
    }
    return true;
  }
};

}  // namespace

bool has_avx512() { return cpu_has_avx512(); }

template <class V>
ParsedPage parse_avx512(const Chunk& chunk, const Rules& rules, ParserScratch& scratch) {
  return parse_fast<Avx512, V>(chunk, rules, scratch);
}

}  // namespace linsep::svmlight

#else

namespace linsep::svmlight {

bool has_avx512() { return false; }

template <class V>
ParsedPage parse_avx512(const Chunk& chunk, const Rules& rules, ParserScratch& scratch) {
  return parse_scalar<V>(chunk, rules, scratch);
}

}  // namespace linsep::svmlight

#endif

namespace linsep::svmlight {

template ParsedPage parse_avx512<float>(const Chunk&, const Rules&, ParserScratch&);
template ParsedPage parse_avx512<double>(const Chunk&, const Rules&, ParserScratch&);

}  // namespace linsep::svmlight

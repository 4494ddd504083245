// AVX2 marks bit by bit, and converts four tokens at a time.
#include "core/cpu.h"
#include "format/svmlight/fast.h"

#if defined(__x86_64__)

#include <immintrin.h>

// Only these functions are compiled for these instructions, not the rest of the library.
#define LINSEP_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))

namespace linsep::svmlight {
namespace {

constexpr std::uint32_t kGroup = 4;

/// The bits that count if a group has fewer than four tokens.
struct Live {
  std::uint32_t lengths;  ///< eight bits per token
  std::uint32_t index;    ///< eight bits per token
  std::uint32_t tokens;   ///< one bit per token
  std::uint64_t value;    ///< sixteen bits per token, in the order 0, 2, 1, 3
};
constexpr Live live_tokens(unsigned count) {
  const auto bits = static_cast<std::uint32_t>((std::uint64_t{1} << (8 * count)) - 1);
  constexpr std::uint64_t kValue[] = {0, 0xffff, 0x0000ffff0000ffff, 0x0000ffffffffffff, ~std::uint64_t{0}};
  return {bits, bits, (1U << count) - 1, kValue[count]};
}
constexpr Live kLive[kGroup + 1] = {live_tokens(0), live_tokens(1), live_tokens(2), live_tokens(3), live_tokens(4)};

constexpr double kPowers[16] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

/// The sixteen bytes from `kTail + length` mark a token of that length with ones, at the upper end.
alignas(64) constexpr std::uint8_t kTail[32] = {0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
                                                0,    0,    0,    0,    0,    0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                                0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

/// Shuffles that move the bytes before the point up by one, by the number of digits after the point (0 for no point).
struct Shuffles {
  alignas(16) std::uint8_t of[16][16];
};
constexpr Shuffles make_shuffles() {
  Shuffles shuffles{};
  for (int fraction = 0; fraction < 16; ++fraction) {
    for (int i = 0; i < 16; ++i) {
      const bool moves = fraction > 0 && i <= 15 - fraction;
      shuffles.of[fraction][i] = static_cast<std::uint8_t>(!moves ? i : i == 0 ? 0x80 : i - 1);
    }
  }
  return shuffles;
}
constexpr Shuffles kShuffles = make_shuffles();

/// 64 bytes as two vectors.
struct Block {
  __m256i low, high;
};

LINSEP_AVX2 inline std::uint32_t bits_of(__m256i bytes) {
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes));
}
LINSEP_AVX2 inline std::uint64_t bits_of(__m256i low, __m256i high) {
  return bits_of(low) | std::uint64_t{bits_of(high)} << 32;
}
LINSEP_AVX2 inline std::uint64_t equal_to(const Block& block, char c) {
  const __m256i wanted = _mm256_set1_epi8(c);
  return bits_of(_mm256_cmpeq_epi8(block.low, wanted), _mm256_cmpeq_epi8(block.high, wanted));
}
LINSEP_AVX2 inline std::uint64_t at_most(const Block& block, char c) {
  const __m256i most = _mm256_set1_epi8(c);
  return bits_of(_mm256_cmpeq_epi8(_mm256_min_epu8(block.low, most), block.low),
                 _mm256_cmpeq_epi8(_mm256_min_epu8(block.high, most), block.high));
}

/// Writes the positions of the bits of `bits`, counted from `base`. May write a few more.
LINSEP_AVX2 inline void store_marks(std::uint32_t* out, std::uint64_t bits, std::uint32_t base, unsigned count) {
  constexpr unsigned kAtOnce = 8;
  for (unsigned done = 0; done < count; done += kAtOnce) {
    for (unsigned i = 0; i < kAtOnce; ++i) {
      out[done + i] = base + static_cast<std::uint32_t>(_tzcnt_u64(bits));
      bits = _blsr_u64(bits);
    }
  }
}

LINSEP_AVX2 inline __m128i load16(const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); }
LINSEP_AVX2 inline __m256i load_two(const void* low, const void* high) {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(load16(low)), load16(high), 1);
}

/// Four indices of up to eight digits, each read as the eight bytes before its colon. In each 64 bits of `lengths`, the
/// low half is the index's length plus one. `odd` has the bits of bytes that aren't digits.
LINSEP_AVX2 inline __m128i convert_indices(const char* text, const std::uint32_t* mark, __m256i lengths,
                                           std::uint32_t& odd) {
  const char* before = text - 8;
  const __m128i t01 = _mm_unpacklo_epi64(_mm_loadu_si64(before + mark[1]), _mm_loadu_si64(before + mark[3]));
  const __m128i t23 = _mm_unpacklo_epi64(_mm_loadu_si64(before + mark[5]), _mm_loadu_si64(before + mark[7]));
  const __m256i bytes = _mm256_set_m128i(t23, t01);
  const __m256i length = _mm256_and_si256(lengths, _mm256_set1_epi64x(0xffffffff));
  const __m256i others = _mm256_sub_epi64(_mm256_set1_epi64x(72), _mm256_slli_epi64(length, 3));
  const __m256i inside = _mm256_sllv_epi64(_mm256_set1_epi64x(-1), others);
  const __m256i digits = _mm256_and_si256(_mm256_sub_epi8(bytes, _mm256_set1_epi8('0')), inside);
  const __m256i is_digit = _mm256_cmpeq_epi8(_mm256_min_epu8(digits, _mm256_set1_epi8(9)), digits);
  odd = ~static_cast<std::uint32_t>(_mm256_movemask_epi8(is_digit));
  const __m256i twos = _mm256_maddubs_epi16(digits, _mm256_set1_epi16(0x010a));
  const __m256i fours = _mm256_madd_epi16(twos, _mm256_set1_epi32(0x00010064));
  const __m256i halves = _mm256_madd_epi16(fours, _mm256_set1_epi64x(0x0000000100002710));
  const __m256i whole = _mm256_add_epi32(halves, _mm256_srli_epi64(halves, 32));
  const __m256i packed = _mm256_permutevar8x32_epi32(whole, _mm256_setr_epi32(0, 2, 4, 6, 0, 0, 0, 0));
  return _mm256_castsi256_si128(packed);
}

/// Two values, sixteen bytes each, as digits. A byte that isn't a digit of its token is 0.
struct TwoValues {
  __m256i digits;
  std::uint32_t token, digit, point, minus;
};
LINSEP_AVX2 inline TwoValues look_at(__m256i bytes, __m256i token) {
  const __m256i digits = _mm256_sub_epi8(bytes, _mm256_set1_epi8('0'));
  const __m256i is_digit =
      _mm256_and_si256(_mm256_cmpeq_epi8(_mm256_min_epu8(digits, _mm256_set1_epi8(9)), digits), token);
  return {_mm256_and_si256(digits, is_digit), bits_of(token), bits_of(is_digit),
          bits_of(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('.'))),
          bits_of(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('-')))};
}

LINSEP_AVX2 inline unsigned fraction_of(std::uint64_t below, int field) {
  return 16 - static_cast<unsigned>(_mm_popcnt_u64((below >> (16 * field)) & 0xffff));
}

/// Combines every four digits of two values into one number, without the point.
LINSEP_AVX2 inline __m256i convert_fours(__m256i digits, unsigned low_fraction, unsigned high_fraction) {
  const __m256i whole = _mm256_shuffle_epi8(digits, load_two(kShuffles.of[low_fraction], kShuffles.of[high_fraction]));
  return _mm256_madd_epi16(_mm256_maddubs_epi16(whole, _mm256_set1_epi16(0x010a)), _mm256_set1_epi32(0x00010064));
}

/// Integers below 2⁵² as doubles.
LINSEP_AVX2 inline __m256d to_double(__m256i whole) {
  const __m256d big = _mm256_set1_pd(0x1p52);
  return _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(whole, _mm256_castpd_si256(big))), big);
}

/// The bytes of the value that ends at `mark[0]` and begins after `mark[-1]`. Lengths beyond 15 give some other length,
/// which the caller notices.
inline const std::uint8_t* tail(const std::uint32_t* mark) { return kTail + ((mark[0] - mark[-1] - 1) & 15); }

/// The sign to set if there is a minus among the sixteen bits of a value.
inline double sign_of(std::uint64_t minus, int field) { return (minus >> (16 * field) & 0xffff) != 0 ? -0.0 : 0.0; }

/// Four values of up to 15 bytes, as correctly rounded doubles: integers below 10¹⁵, divided by at most 10¹⁵.
LINSEP_AVX2 inline __m256d convert_values(const char* text, const std::uint32_t* mark, std::uint64_t& odd) {
  const char* before = text - 16;
  const TwoValues even =
      look_at(load_two(before + mark[2], before + mark[6]), load_two(tail(mark + 2), tail(mark + 6)));
  const TwoValues other =
      look_at(load_two(before + mark[4], before + mark[8]), load_two(tail(mark + 4), tail(mark + 8)));
  TokenBits bits;
  bits.token = even.token | std::uint64_t{other.token} << 32;
  bits.digit = even.digit | std::uint64_t{other.digit} << 32;
  bits.point = even.point | std::uint64_t{other.point} << 32;
  bits.minus = even.minus | std::uint64_t{other.minus} << 32;
  const TokenShape shape = shape_of(bits);
  odd = shape.odd;
  const unsigned f0 = fraction_of(shape.below, 0);
  const unsigned f2 = fraction_of(shape.below, 1);
  const unsigned f1 = fraction_of(shape.below, 2);
  const unsigned f3 = fraction_of(shape.below, 3);
  // Packing puts even and odd tokens side by side, so from here on they are in order.
  const __m256i fours = _mm256_packus_epi32(convert_fours(even.digits, f0, f2), convert_fours(other.digits, f1, f3));
  const __m256i eights = _mm256_madd_epi16(fours, _mm256_set1_epi32(0x00012710));
  const __m256i whole =
      _mm256_add_epi64(_mm256_mul_epu32(eights, _mm256_set1_epi64x(100000000)), _mm256_srli_epi64(eights, 32));
  const __m256d power = _mm256_setr_pd(kPowers[f0], kPowers[f1], kPowers[f2], kPowers[f3]);
  const __m256d size = _mm256_div_pd(to_double(whole), power);
  if (shape.minus == 0) return size;
  const std::uint64_t minus = shape.minus;
  return _mm256_or_pd(size, _mm256_setr_pd(sign_of(minus, 0), sign_of(minus, 2), sign_of(minus, 1), sign_of(minus, 3)));
}

/// Marks the values that rounding from double to float would round a second time (see number.cc). They are in the range
/// of normal floats.
LINSEP_AVX2 inline std::uint32_t half_way(__m256d value) {
  const __m256i low = _mm256_and_si256(_mm256_castpd_si256(value), _mm256_set1_epi64x(0x1fffffff));
  return static_cast<std::uint32_t>(
      _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(low, _mm256_set1_epi64x(0x10000000)))));
}

LINSEP_AVX2 inline void store_values(float* out, __m256d value) { _mm_storeu_ps(out, _mm256_cvtpd_ps(value)); }
LINSEP_AVX2 inline void store_values(double* out, __m256d value) { _mm256_storeu_pd(out, value); }

struct Avx2 {
  LINSEP_AVX2 static bool scan(const char* text, std::uint32_t bytes, Marks& marks) {
    std::uint64_t after_blank = 1;  // whether the byte before the block is a blank. The beginning counts as one
    std::uint64_t after_colon = 0;  // whether the last mark is a colon
    std::uint64_t after_return = 0;
    std::uint64_t bad = 0;
    std::uint32_t count = 0;
    std::uint32_t colons = 0;
    std::uint32_t lines = 0;
    for (std::uint32_t at = 0; at < bytes; at += 64) {
      const auto* here = reinterpret_cast<const __m256i*>(text + at);
      const Block block{_mm256_loadu_si256(here), _mm256_loadu_si256(here + 1)};
      const std::uint64_t inside = bytes - at >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (bytes - at)) - 1;
      const std::uint64_t blank = at_most(block, ' ') & inside;
      const std::uint64_t colon = equal_to(block, ':') & inside;
      const std::uint64_t newline = equal_to(block, '\n') & inside;
      const std::uint64_t other = blank & ~newline & ~equal_to(block, ' ');
      bad |= after_return & ~newline;
      after_return = 0;
      if (other != 0) [[unlikely]] {
        const std::uint64_t back = equal_to(block, '\r') & inside;
        bad |= other & ~equal_to(block, '\t') & ~back;
        bad |= (back << 1) & ~newline;
        after_return = back >> 63;
      }
      const std::uint64_t mark = (blank & ~(blank << 1 | after_blank)) | colon;
      after_blank = blank >> 63;
      const auto number = static_cast<unsigned>(_mm_popcnt_u64(mark));
      const std::uint64_t kinds = _pext_u64(colon, mark);
      bad |= kinds & (kinds << 1 | after_colon);
      after_colon = number != 0 ? kinds >> (number - 1) : after_colon;
      store_marks(marks.mark + count, mark, at, number);
      for (std::uint64_t left = newline; left != 0; left = _blsr_u64(left)) {
        const std::uint64_t up_to = _blsmsk_u64(left);
        marks.line_end[lines] = at + static_cast<std::uint32_t>(_tzcnt_u64(left));
        marks.line_mark[lines] = count + static_cast<std::uint32_t>(_mm_popcnt_u64(mark & up_to));
        marks.line_colon[lines++] = colons + static_cast<std::uint32_t>(_mm_popcnt_u64(colon & up_to));
      }
      count += number;
      colons += static_cast<std::uint32_t>(_mm_popcnt_u64(colon));
    }
    marks.marks = count;
    marks.colons = colons;
    marks.lines = lines;
    return bad == 0;
  }

  template <class V>
  LINSEP_AVX2 static bool read_entries(const char* text, const std::uint32_t* mark, std::uint32_t count,
                                       std::uint32_t* column, V* value, Patience& patience) {
    __m128i previous = _mm_setzero_si128();  // its last index is used
    for (std::uint32_t done = 0; done < count; done += kGroup, mark += 2 * kGroup) {
      const Live& live = kLive[std::min(count - done, kGroup)];
      // Each pair of 32 bits holds the length of the index plus one and the length of the value plus one.
      const __m256i lengths = _mm256_sub_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(mark + 1)),
                                               _mm256_loadu_si256(reinterpret_cast<const __m256i*>(mark)));
      const __m256i over = _mm256_sub_epi32(lengths, _mm256_set1_epi32(2));
      const __m256i most = _mm256_set1_epi64x(0x0000000e00000007);
      const __m256i fits = _mm256_cmpeq_epi32(_mm256_min_epu32(over, most), over);
      const std::uint32_t long_one = ~static_cast<std::uint32_t>(_mm256_movemask_epi8(fits));
      std::uint32_t odd_index = 0;
      const __m128i index = convert_indices(text, mark, lengths, odd_index);
      const __m128i rising = _mm_cmpgt_epi32(index, _mm_alignr_epi8(index, previous, 12));
      std::uint32_t bad_tokens = ~static_cast<std::uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(rising)));
      std::uint64_t odd_value = 0;
      const __m256d values = convert_values(text, mark, odd_value);
      if constexpr (sizeof(V) == sizeof(float)) bad_tokens |= half_way(values);
      const std::uint64_t bad =
          (long_one & live.lengths) | (bad_tokens & live.tokens) | (odd_index & live.index) | (odd_value & live.value);
      if (bad != 0) [[unlikely]] {
        patience.lose();
        std::uint64_t last = done > 0 ? std::uint64_t{column[done - 1]} + 1 : 0;
        if (!read_tokens(text, mark, std::min(count - done, kGroup), last, column + done, value + done)) return false;
        // Comparisons are signed. Indices of eight digits can't follow a larger one than fits anyway.
        previous = _mm_set1_epi32(static_cast<int>(std::min<std::uint64_t>(last, 0x7fffffff)));
        continue;
      }
      patience.gain();
      previous = index;
      _mm_storeu_si128(reinterpret_cast<__m128i*>(column + done), _mm_sub_epi32(index, _mm_set1_epi32(1)));
      store_values(value + done, values);
    }
    return true;
  }
};

}  // namespace

bool has_avx2() { return cpu_has_avx2(); }

template <class V>
ParsedPage parse_avx2(const Chunk& chunk, const Rules& rules, ParserScratch& scratch) {
  return parse_fast<Avx2, V>(chunk, rules, scratch);
}

}  // namespace linsep::svmlight

#else

namespace linsep::svmlight {

bool has_avx2() { return false; }

template <class V>
ParsedPage parse_avx2(const Chunk& chunk, const Rules& rules, ParserScratch& scratch) {
  return parse_scalar<V>(chunk, rules, scratch);
}

}  // namespace linsep::svmlight

#endif

namespace linsep::svmlight {

template ParsedPage parse_avx2<float>(const Chunk&, const Rules&, ParserScratch&);
template ParsedPage parse_avx2<double>(const Chunk&, const Rules&, ParserScratch&);

}  // namespace linsep::svmlight

// The fast path for numbers in CSV: a plain decimal within 16 bytes, without a branch on its shape.
//
// A parser is limited by how soon it finds the beginning of the next field. Here that takes one load, two comparisons
// and a count of trailing zeros. The conversion of the digits runs in parallel with that chain.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace linsep::csv {

/// Marks of 16 bytes, with bit i for byte i: which aren't digits, and which are points.
struct Marks {
  unsigned others = 0;
  unsigned points = 0;

  bool operator==(const Marks&) const = default;
};

/// The top bits of eight bytes as bits 0 … 7. Every partial product of the multiplication has its own bit.
inline unsigned top_bits(std::uint64_t bytes) {
  return static_cast<unsigned>(((bytes & 0x8080808080808080) >> 7) * 0x0102040810204080 >> 56);
}

/// REQUIRES: 16 readable bytes, a little-endian machine.
inline Marks portable_marks(const char* p) {
  constexpr std::uint64_t kLow = 0x7f7f7f7f7f7f7f7f;
  Marks marks;
  for (int half = 0; half < 2; ++half) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, p + 8 * half, 8);
    // A digit becomes 0 … 9, and a point becomes 0x1e. Adding carries anything above 9, or other than a point, into the
    // top bit.
    const std::uint64_t digits = bytes ^ 0x3030303030303030;
    const std::uint64_t points = bytes ^ 0x2e2e2e2e2e2e2e2e;
    marks.others |= top_bits(((digits & kLow) + 0x7676767676767676) | digits) << (8 * half);
    marks.points |= top_bits(~(((points & kLow) + kLow) | points)) << (8 * half);
  }
  return marks;
}

/// Does the same as `portable_marks`.
inline Marks marks_of(const char* p) {
#ifdef __SSE2__
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  // The comparison is signed, so '0' … '9' are moved to the ten smallest values.
  const __m128i moved = _mm_add_epi8(bytes, _mm_set1_epi8(static_cast<char>(0x80 - '0')));
  const __m128i others = _mm_cmpgt_epi8(moved, _mm_set1_epi8(static_cast<char>(0x80 + 9)));
  const __m128i points = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('.'));
  return {static_cast<unsigned>(_mm_movemask_epi8(others)), static_cast<unsigned>(_mm_movemask_epi8(points))};
#else
  return portable_marks(p);
#endif
}

/// The number that the first `count` bytes at `p` spell. REQUIRES: they are digits, 0 ≤ count ≤ 8, and 8 bytes are
/// readable.
inline std::uint64_t digits_at(const char* p, unsigned count) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, p, 8);
  // Shifts in leading zeros from below, in two steps because a shift by 64 is undefined.
  bytes = ((bytes - 0x3030303030303030) << (32 - 4 * count)) << (32 - 4 * count);
  bytes = (bytes * 10 + (bytes >> 8)) & 0x00ff00ff00ff00ff;
  bytes = (bytes * 100 + (bytes >> 16)) & 0x0000ffff0000ffff;
  return (bytes * 10000 + (bytes >> 32)) & 0xffffffff;
}

/// Reads [-] digits [. digits] at `p` if that is easy. There must be at most 8 digits on either side of the point, the
/// byte after them must be among the first 16, and rounding must be safe. Returns the byte after the number, or
/// nullptr, which implies nothing about the text. REQUIRES: 32 readable bytes.
template <class V>
inline const char* read_plain(const char* p, V& value) {
  if constexpr (std::endian::native != std::endian::little) return nullptr;
  static constexpr double kPowers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
  static constexpr std::uint64_t kWhole[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  const auto negative = static_cast<unsigned>(*p == '-');
  const Marks marks = marks_of(p);
  const unsigned others = marks.others & ~negative;
  const unsigned point = others & -others & marks.points;  // the first byte that isn't a digit, if it is a point
  const unsigned behind = others ^ point;
  if (behind == 0) return nullptr;
  const auto whole = static_cast<unsigned>(std::countr_zero(others)) - negative;
  const auto end = static_cast<unsigned>(std::countr_zero(behind));
  const unsigned places = end - negative - whole - static_cast<unsigned>(point != 0);
  if (whole > 8 || places > 8 || whole + places == 0) return nullptr;
  const std::uint64_t digits = digits_at(p + negative, whole) * kWhole[places] + digits_at(p + (end - places), places);
  // Both operands are exact (digits < 10¹⁵), so the quotient is correctly rounded (Clinger 1990).
  const double size = static_cast<double>(static_cast<std::int64_t>(digits)) / kPowers[places];
  if constexpr (sizeof(V) == sizeof(float)) {
    // The second rounding is right unless the double lies half way between two floats. All of 10⁻⁸ … 10⁸ is normal.
    if ((std::bit_cast<std::uint64_t>(size) & 0x1fffffff) == 0x10000000) return nullptr;
  }
  value = static_cast<V>(std::bit_cast<double>(std::bit_cast<std::uint64_t>(size) | std::uint64_t{negative} << 63));
  return p + end;
}

}  // namespace linsep::csv

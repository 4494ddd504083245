// The fast path of numbers in CSV: a plain decimal, eight bytes at a time.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace linsep::csv {

/// Up to eight digits at the beginning of some text.
struct Digits {
  std::uint64_t value = 0;
  int count = 0;  ///< 0 … 8
};

/// REQUIRES: 8 bytes at `p` are readable; a little-endian machine.
inline Digits read_digits(const char* p) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, p, 8);
  bytes ^= 0x3030303030303030;  // a digit becomes its value, everything else something above 9
  // The sums carry into bit 7 exactly from bytes above 9; a carry out of a byte can't be, for bit 7 is kept apart.
  const std::uint64_t others = (((bytes & 0x7f7f7f7f7f7f7f7f) + 0x7676767676767676) | bytes) & 0x8080808080808080;
  const int count = others == 0 ? 8 : std::countr_zero(others) / 8;
  if (count == 0) return {};
  bytes <<= 64 - 8 * count;  // leading zeros
  bytes = (bytes * 10 + (bytes >> 8)) & 0x00ff00ff00ff00ff;
  bytes = (bytes * 100 + (bytes >> 16)) & 0x0000ffff0000ffff;
  return {(bytes * 10000 + (bytes >> 32)) & 0xffffffff, count};
}

/// Reads [-] digits [. digits] at `p` if that is easy: at least one digit before a point and one behind it, at most 7
/// before and 15 behind, and rounding that can't go wrong. Answers the byte behind, or nullptr; then nothing is said
/// about the text. REQUIRES: 32 bytes at `p` are readable.
template <class V>
inline const char* read_plain(const char* p, V& value) {
  if constexpr (std::endian::native != std::endian::little) return nullptr;
  static constexpr double kPowers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  static constexpr std::uint64_t kWhole[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  const bool negative = *p == '-';
  p += static_cast<int>(negative);  // no branch: signs are hard to predict
  const Digits whole = read_digits(p);
  if (whole.count == 0 || whole.count == 8) return nullptr;
  p += whole.count;
  std::uint64_t digits = whole.value;
  int places = 0;
  if (*p == '.') {
    const Digits fraction = read_digits(p + 1);
    if (fraction.count == 0) return nullptr;
    digits = digits * kWhole[fraction.count] + fraction.value;
    places = fraction.count;
    if (places == 8) {
      const Digits rest = read_digits(p + 9);
      if (rest.count == 8) return nullptr;
      if (digits >= (std::uint64_t{1} << 53) / kWhole[rest.count]) return nullptr;
      digits = digits * kWhole[rest.count] + rest.value;
      places += rest.count;
    }
    p += 1 + places;
  }
  // One exact operand on each side: the quotient is correctly rounded (Clinger 1990).
  const double size = static_cast<double>(static_cast<std::int64_t>(digits)) / kPowers[places];
  if constexpr (sizeof(V) == sizeof(float)) {
    // Rounded twice, right unless the double lies half way between two floats. Never so small or large as to leave
    // the normal floats: 10⁻¹⁵ … 10⁷.
    if ((std::bit_cast<std::uint64_t>(size) & 0x1fffffff) == 0x10000000) return nullptr;
  }
  value = static_cast<V>(std::bit_cast<double>(std::bit_cast<std::uint64_t>(size) | std::uint64_t{negative} << 63));
  return p;
}

}  // namespace linsep::csv

// For tests: changes of a checkpoint's bytes, and a corrected checksum.
#pragma once

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "core/random.h"

namespace linsep::testing {

/// The bytes followed by their checksum.
inline std::string with_checksum(std::string bytes) {
  const std::uint64_t sum = XXH3_64bits(bytes.data(), bytes.size());
  return bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
}

inline std::uint64_t odd_word(Random& random) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static const std::array<double, 12> kNumbers = {kInfinity, -kInfinity, std::nan(""), 1e300, -1e300, 1e-300, -1,
                                                  0.5,       2,          -0.0,         1e18,  -1e18};
  const std::uint64_t choice = random.below(4);
  if (choice == 0) return std::bit_cast<std::uint64_t>(kNumbers[random.below(kNumbers.size())]);
  if (choice == 1) return std::uint64_t{1} << random.below(64);
  if (choice == 2) return ~std::uint64_t{0} >> random.below(64);
  return random.below(100);
}

/// Makes one change of a few bytes, of the kind that breaks a state.
inline void change(std::string& bytes, Random& random) {
  if (bytes.size() < 16) return;
  const std::size_t at = random.below(bytes.size() - 8), from = random.below(bytes.size() - 8);
  const std::uint64_t word = odd_word(random);
  switch (random.below(8)) {
    case 0:
      bytes[at] = static_cast<char>(random.below(256));
      break;
    case 1:
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
      break;
    case 2:  // numbers are moved about
      std::memmove(bytes.data() + at, bytes.data() + from, 8);
      break;
    case 3:
      bytes.erase(at, 1 + random.below(8));
      break;
    case 4:
      bytes.insert(at, std::string(1 + random.below(8), static_cast<char>(random.below(256))));
      break;
    default:
      std::memcpy(bytes.data() + at, &word, sizeof word);
  }
}

}  // namespace linsep::testing

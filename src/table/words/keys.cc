// XXH3 takes different branches for 1–3, 4–8, 9–16 and more bytes, and processors can't predict which. So words are
// sorted by branch first, a group of them at a time, and then each branch runs without a jump. The compiler finds the
// branch from the size's range.
#include "table/words/keys.h"

#include <algorithm>
#include <bit>

#define XXH_INLINE_ALL
#include <xxhash.h>

// Makes the compiler inline everything that such a function calls.
#if defined(__GNUC__)
#define LINSEP_FLATTEN __attribute__((flatten))
#else
#define LINSEP_FLATTEN
#endif

namespace linsep {
namespace {

constexpr std::size_t kGroup = 128;

std::uint64_t little_endian(std::uint64_t value) {
  return std::endian::native == std::endian::little ? value : __builtin_bswap64(value);
}

/// XXH3 of bytes whose count is known to be in this range.
template <std::size_t kLeast, std::size_t kMost>
inline std::uint64_t key_within(const char* bytes, std::size_t size) {
  if (size < kLeast || size > kMost) __builtin_unreachable();
  return XXH3_64bits(bytes, size);
}

/// The words of a group that take one branch, by their numbers within the group.
struct LengthBucket {
  std::uint32_t word[kGroup];
  std::size_t count = 0;

  /// `belongs` is 1 or 0, so that no jump is needed.
  void add(std::size_t i, std::uint32_t belongs) {
    word[count] = static_cast<std::uint32_t>(i);
    count += belongs;
  }
};

template <std::size_t kLeast, std::size_t kMost>
LINSEP_FLATTEN void go(const LengthBucket& way, const char* text, const std::uint32_t* marks, std::uint64_t* keys) {
  for (std::size_t k = 0; k < way.count; ++k) {
    const std::size_t i = way.word[k];
    keys[i] = key_within<kLeast, kMost>(text + marks[2 * i], marks[2 * i + 1] - marks[2 * i]);
  }
}

void keys_of_group(const char* text, const std::uint32_t* marks, std::size_t count, std::uint64_t* keys) {
  LengthBucket tiny, small, middle, large;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t size = marks[2 * i + 1] - marks[2 * i];  // below 2³¹
    const std::uint32_t up_to_3 = (size - 4) >> 31, up_to_8 = (size - 9) >> 31, up_to_16 = (size - 17) >> 31;
    tiny.add(i, up_to_3);
    small.add(i, up_to_8 - up_to_3);
    middle.add(i, up_to_16 - up_to_8);
    large.add(i, 1 - up_to_16);
  }
  go<1, 3>(tiny, text, marks, keys);
  go<4, 8>(small, text, marks, keys);
  go<9, 16>(middle, text, marks, keys);
  for (std::size_t k = 0; k < large.count; ++k) {
    const std::size_t i = large.word[k];
    keys[i] = key_of_bytes(text + marks[2 * i], marks[2 * i + 1] - marks[2 * i]);
  }
}

template <std::size_t kSize>
LINSEP_FLATTEN void windows(const char* text, const std::uint32_t* begin, std::size_t count, std::uint64_t* keys) {
  for (std::size_t i = 0; i < count; ++i) keys[i] = XXH3_64bits(text + begin[i], kSize);
}

}  // namespace

std::uint64_t key_of_bytes(const char* bytes, std::size_t size) { return XXH3_64bits(bytes, size); }

LINSEP_FLATTEN std::uint64_t key_of_pair(std::uint64_t first, std::uint64_t second) {
  const std::uint64_t both[2] = {little_endian(first), little_endian(second)};
  return XXH3_64bits(both, sizeof both);
}

void keys_of_words(const char* text, const std::uint32_t* marks, std::size_t count, std::uint64_t* keys) {
  for (std::size_t at = 0; at < count; at += kGroup) {
    keys_of_group(text, marks + 2 * at, std::min(kGroup, count - at), keys + at);
  }
}

LINSEP_FLATTEN void keys_of_pairs(const std::uint64_t* first, std::size_t count, std::uint64_t* keys) {
  if (count > 0) keys[0] = first[0];
  for (std::size_t i = 1; i < count; ++i) {
    keys[2 * i - 1] = first[i];
    keys[2 * i] = key_of_pair(first[i - 1], first[i]);
  }
}

void keys_of_windows(const char* text, const std::uint32_t* begin, std::size_t count, std::size_t size,
                     std::uint64_t* keys) {
  switch (size) {
    case 3:
      return windows<3>(text, begin, count, keys);
    case 4:
      return windows<4>(text, begin, count, keys);
    case 5:
      return windows<5>(text, begin, count, keys);
    case 6:
      return windows<6>(text, begin, count, keys);
    default:
      for (std::size_t i = 0; i < count; ++i) keys[i] = key_of_bytes(text + begin[i], size);
  }
}

}  // namespace linsep

// Keys of many terms at once: XXH3-64 with seed 0, over short pieces of one text.
#pragma once

#include <cstddef>
#include <cstdint>

namespace linsep {

/// XXH3-64 of the bytes.
std::uint64_t key_of_bytes(const char* bytes, std::size_t size);
/// XXH3-64 of the 16 bytes of two keys, little-endian.
std::uint64_t key_of_pair(std::uint64_t first, std::uint64_t second);

/// Sets keys[i] to the key of the bytes of `text` from marks[2i] to marks[2i + 1]. REQUIRES: none of them is empty.
void keys_of_words(const char* text, const std::uint32_t* marks, std::size_t count, std::uint64_t* keys);

/// Makes the keys for words 1 to 2: keys[0] is first[0], followed for each later i by first[i] and the key of
/// first[i − 1] and first[i].
void keys_of_pairs(const std::uint64_t* first, std::size_t count, std::uint64_t* keys);

/// Sets keys[i] to the key of the `size` bytes of `text` from begin[i].
void keys_of_windows(const char* text, const std::uint32_t* begin, std::size_t count, std::size_t size,
                     std::uint64_t* keys);

}  // namespace linsep

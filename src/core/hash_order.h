// The random order behind passes, groups and folds: that of a keyed hash.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/random.h"

namespace linsep {

/// Sorts numbers by their hash under `key`; equal hashes: the smaller number first.
inline void sort_by_hash(std::uint64_t key, std::vector<std::int64_t>& numbers) {
  using Hashed = std::pair<std::uint64_t, std::int64_t>;
  if (numbers.size() < 2) return;
  // Hashes are even, so their leading bits put each number next to its place: about one to a bucket.
  const int shift = 64 - std::bit_width(numbers.size() - 1);
  std::vector<std::size_t> end((std::size_t{1} << (64 - shift)) + 1);
  for (const std::int64_t n : numbers) ++end[(keyed_hash(key, static_cast<std::uint64_t>(n)) >> shift) + 1];
  for (std::size_t b = 1; b < end.size(); ++b) end[b] += end[b - 1];
  std::vector<Hashed> hashed(numbers.size());
  for (const std::int64_t n : numbers) {
    const std::uint64_t hash = keyed_hash(key, static_cast<std::uint64_t>(n));
    hashed[end[hash >> shift]++] = {hash, n};
  }
  std::size_t begin = 0;
  for (std::size_t b = 0; b + 1 < end.size(); ++b) {
    if (end[b] - begin > 1) {
      std::sort(hashed.begin() + static_cast<std::ptrdiff_t>(begin),
                hashed.begin() + static_cast<std::ptrdiff_t>(end[b]));
    }
    begin = end[b];
  }
  std::transform(hashed.begin(), hashed.end(), numbers.begin(), [](const Hashed& pair) { return pair.second; });
}

}  // namespace linsep

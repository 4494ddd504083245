// The random order behind passes, groups and folds: that of a keyed hash.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/random.h"

namespace linsep {

/// Sorts numbers by their hash under `key`; equal hashes: the smaller number first.
inline void sort_by_hash(std::uint64_t key, std::vector<std::int64_t>& numbers) {
  std::vector<std::pair<std::uint64_t, std::int64_t>> hashed;
  hashed.reserve(numbers.size());
  for (const std::int64_t n : numbers) hashed.emplace_back(keyed_hash(key, static_cast<std::uint64_t>(n)), n);
  std::sort(hashed.begin(), hashed.end());
  std::transform(hashed.begin(), hashed.end(), numbers.begin(), [](const auto& pair) { return pair.second; });
}

}  // namespace linsep

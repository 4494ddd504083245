// Rows drawn by a hash of their number: the same whatever the batches, threads and order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/random.h"

namespace linsep {

/// Keeps the rows of the least hashes, each with what belongs to it.
template <class Kept>
class HashDraw {
 public:
  HashDraw(std::uint64_t seed, std::size_t most) : seed_(seed), most_(most) {}

  /// Keeps `make()` for the row if it is among those of the least hashes so far.
  template <class Make>
  void offer(std::int64_t row, const Make& make) {
    const std::pair key(keyed_hash(seed_, static_cast<std::uint64_t>(row)), row);
    if (kept_.size() == most_ && (most_ == 0 || !(key < kept_.front().first))) return;
    if (kept_.size() == most_) {
      std::pop_heap(kept_.begin(), kept_.end(), later);
      kept_.pop_back();
    }
    kept_.emplace_back(key, make());
    std::push_heap(kept_.begin(), kept_.end(), later);
  }

  /// By ascending hash.
  std::vector<Kept> take() {
    std::sort_heap(kept_.begin(), kept_.end(), later);
    std::vector<Kept> result;
    result.reserve(kept_.size());
    for (auto& [key, kept] : kept_) result.push_back(std::move(kept));
    kept_.clear();
    return result;
  }

 private:
  using Item = std::pair<std::pair<std::uint64_t, std::int64_t>, Kept>;
  static bool later(const Item& a, const Item& b) { return a.first < b.first; }

  std::uint64_t seed_;
  std::size_t most_;
  std::vector<Item> kept_;  ///< a heap, the greatest hash in front
};

}  // namespace linsep

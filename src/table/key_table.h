// KeyTable maps 64-bit keys of terms to their places.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/keyed_map.h"

namespace linsep {

class KeyTable {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  KeyTable() = default;
  /// The place of keys[i] is i. Of equal keys the first one counts. REQUIRES: fewer than 2³¹ keys.
  explicit KeyTable(std::span<const std::uint64_t> keys) {
    const int bits = std::max(4, static_cast<int>(std::bit_width(2 * std::max<std::size_t>(keys.size(), 1) - 1)));
    keyed_ = KeyedSlots(bits);
    slots_.resize(std::size_t{1} << bits);
    mask_ = slots_.size() - 1;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      Slot& slot = slots_[probe(keys[i])];
      if (slot.place == kNone) slot = {keys[i], static_cast<std::uint32_t>(i)};
    }
  }

  /// Prefetches the memory that `find` will read.
  void prefetch(std::uint64_t key) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[keyed_.slot_of(key)]);
  }

  /// Returns kNone if there is no such key.
  std::uint32_t find(std::uint64_t key) const { return slots_.empty() ? kNone : slots_[probe(key)].place; }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t place = kNone;
  };

  /// Returns the slot that has the key, or the empty one that it would take.
  std::size_t probe(std::uint64_t key) const {
    std::size_t at = keyed_.slot_of(key);
    while (slots_[at].place != kNone && slots_[at].key != key) at = (at + 1) & mask_;
    return at;
  }

  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  KeyedSlots keyed_;
};

}  // namespace linsep

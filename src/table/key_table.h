// KeyTable: from 64-bit keys of terms to their places.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace linsep {

class KeyTable {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  KeyTable() = default;
  /// The place of keys[i] is i; of equal keys the first one's. REQUIRES: fewer than 2³¹ keys.
  explicit KeyTable(std::span<const std::uint64_t> keys) {
    std::size_t size = 16;
    while (size < 2 * keys.size()) size *= 2;
    slots_.resize(size);
    mask_ = size - 1;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      std::size_t at = slot_of(keys[i]);
      while (slots_[at].place != kNone && slots_[at].key != keys[i]) at = (at + 1) & mask_;
      if (slots_[at].place == kNone) slots_[at] = {keys[i], static_cast<std::uint32_t>(i)};
    }
  }

  /// Asks for the memory that `find` will look at.
  void prefetch(std::uint64_t key) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[slot_of(key)]);
  }

  /// kNone where the key isn't there.
  std::uint32_t find(std::uint64_t key) const {
    if (slots_.empty()) return kNone;
    std::size_t at = slot_of(key);
    while (slots_[at].place != kNone && slots_[at].key != key) at = (at + 1) & mask_;
    return slots_[at].place;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t place = kNone;
  };

  /// Keys are hashes already, but a forger may choose terms whose low bits agree.
  std::size_t slot_of(std::uint64_t key) const { return ((key ^ (key >> 32)) * 0x9E3779B97F4A7C15U >> 20) & mask_; }

  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
};

}  // namespace linsep

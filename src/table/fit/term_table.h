// TermTable: terms by their 64-bit keys, each with its bytes, a count and where it came first. Open addressing with
// linear probing; slots are scrambled by a number of this process, which can't influence results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace linsep {

class TermTable {
 public:
  struct alignas(32) Slot {  // none is in two lines of the cache
    std::uint64_t key = 0;
    std::uint64_t first = 0;  ///< of the caller: where it came first
    std::uint64_t count = 0;  ///< 0: an empty slot
    std::uint32_t bytes = 0;  ///< where its bytes are
    std::uint32_t stamp = 0;  ///< of the caller: the last row that counted
  };

  TermTable();

  std::size_t size() const { return size_; }
  /// About how many bytes it takes.
  std::uint64_t bytes() const { return slots_.capacity() * sizeof(Slot) + arena_bytes_; }

  void prefetch(std::uint64_t key) const { __builtin_prefetch(&slots_[slot_of(key)]); }

  /// The slot of a key; a new one has count 0, and the caller sets all but the key. Valid until the next call.
  Slot& at(std::uint64_t key) {
    if (2 * size_ >= slots_.size()) grow();
    std::size_t place = slot_of(key);
    while (slots_[place].count != 0 && slots_[place].key != key) place = (place + 1) & mask_;
    if (slots_[place].count == 0) {
      slots_[place].key = key;
      ++size_;
    }
    return slots_[place];
  }

  std::string_view term(const Slot& slot) const;
  void set_term(Slot& slot, std::string_view term);

  /// Calls `f(slot)` for every term, in no order that means anything.
  template <class F>
  void each(F&& f) const {
    for (const Slot& slot : slots_) {
      if (slot.count != 0) f(slot);
    }
  }
  void clear_stamps();

 private:
  std::size_t slot_of(std::uint64_t key) const { return static_cast<std::size_t>(key * scramble_ >> shift_); }
  void grow();

  std::vector<Slot> slots_;
  std::size_t mask_ = 0, size_ = 0;
  std::uint64_t scramble_ = 1;
  int shift_ = 0;
  std::vector<std::unique_ptr<char[]>> arena_;  ///< blocks of bytes: of each term its length and the term
  std::size_t room_ = 0;                        ///< bytes left in the last block
  std::uint64_t arena_bytes_ = 0;
};

}  // namespace linsep

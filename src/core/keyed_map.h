// Maps and sets whose keys come from files, such as names, words and numbers of columns. If the hash were known, a file
// of a megabyte could give all its keys one hash, and every look-up would go through all of them. So the hash has a key
// of this process. Nothing may depend on the order of such a map.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>

#include "core/random.h"
#include "core/sip_hash.h"

namespace linsep {

/// A key that the author of a file can't know, made of the addresses of this process in memory. It can't influence
/// results.
const SipBits& process_key();

struct KeyedHash {
  using is_transparent = void;

  std::size_t operator()(std::string_view word) const {
    return static_cast<std::size_t>(sip_hash(process_key(), word)[0]);
  }
  template <class Number>
    requires std::is_arithmetic_v<Number>
  std::size_t operator()(Number number) const {
    if constexpr (std::integral<Number>) {
      return static_cast<std::size_t>(keyed_hash(process_key()[0], static_cast<std::uint64_t>(number)));
    } else {
      // 0 and −0 are equal, so they have one hash.
      return (*this)(number == 0 ? std::uint64_t{0} : std::bit_cast<std::uint64_t>(static_cast<double>(number)));
    }
  }
};

template <class Key, class Value>
using KeyedMap = std::unordered_map<Key, Value, KeyedHash, std::equal_to<>>;
template <class Key>
using KeyedSet = std::unordered_set<Key, KeyedHash, std::equal_to<>>;

/// The slots of a table of 2^bits of them for 64-bit keys, which may be chosen to collide. A slot is the top bits of
/// the product with an odd number of this process (Dietzfelbinger et al. 1997).
class KeyedSlots {
 public:
  KeyedSlots() = default;
  /// REQUIRES: 0 < bits ≤ 64.
  explicit KeyedSlots(int bits) : factor_(process_key()[0] | 1), shift_(64 - bits) {}

  std::size_t slot_of(std::uint64_t key) const { return static_cast<std::size_t>(key * factor_ >> shift_); }

 private:
  std::uint64_t factor_ = 1;
  int shift_ = 0;
};

}  // namespace linsep

// Conflicting duplicates: pairs of rows with z_i = −z_j, found by a hash of each row. A witness of two rows each.
//
// With an offset that is the same x under both labels; through the origin also x and −x under one label. Equal rows as
// written are equal as floats, so no pair is missed; a pair of equal hashes is only a candidate, to be checked exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/random.h"
#include "linsep/batch.h"

namespace linsep {

/// Hashes rows of features. Entries that are 0 don't count.
class RowHasher {
 public:
  /// The sum over entries of a random function of (column, value). `opposite` receives the hash of −x.
  template <class Row>
  std::uint64_t operator()(const Row& x, std::uint64_t& opposite) {
    std::uint64_t sum = 0;
    std::uint64_t sum_opposite = 0;
    for_each_entry(x, [&](std::uint32_t column, double value) {
      if (value == 0) return;
      if (column >= key_.size()) grow(column);
      std::uint64_t bits;
      static_assert(sizeof bits == sizeof value);
      __builtin_memcpy(&bits, &value, sizeof bits);
      sum += mixed(bits, key_[column]);
      sum_opposite += mixed(bits ^ (std::uint64_t{1} << 63), key_[column]);
    });
    opposite = sum_opposite;
    return sum;
  }

  template <class Row>
  std::uint64_t operator()(const Row& x) {
    std::uint64_t sum = 0;
    for_each_entry(x, [&](std::uint32_t column, double value) {
      if (value == 0) return;
      if (column >= key_.size()) grow(column);
      std::uint64_t bits;
      __builtin_memcpy(&bits, &value, sizeof bits);
      sum += mixed(bits, key_[column]);
    });
    return sum;
  }

 private:
  static std::uint64_t mixed(std::uint64_t bits, std::uint64_t key) {
    const std::uint64_t x = (bits ^ key) * 0x9e3779b97f4a7c15ULL;
    return (x ^ (x >> 32)) * (key | 1);
  }
  void grow(std::uint32_t column);

  std::vector<std::uint64_t> key_;
};

/// Rows of opposite sides with equal hashes, each row in one pair at most, as many as there can be. Side and hash of
/// row i are hash[i] and positive[i]. Pairs ascend by their first row; within a group of equal hashes the k-th row of
/// one side goes with the k-th of the other.
std::vector<std::pair<std::int64_t, std::int64_t>> conflicting_pairs(const std::vector<std::uint64_t>& hash,
                                                                     const std::vector<std::uint8_t>& positive);

}  // namespace linsep

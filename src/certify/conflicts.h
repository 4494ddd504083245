// Conflicting duplicates are pairs of rows with z_i = −z_j, found by a hash of each row. Each pair is a witness of two
// rows.
//
// With an intercept they are the same x under both labels. Through the origin they are also x and −x under one label.
// Rows that are equal as written are equal as floats, so no pair is missed. A pair of equal hashes is only a candidate,
// to be checked exactly.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/random.h"
#include "linsep/batch.h"

namespace linsep {

/// Hashes rows of features by the sum over entries of a random function of (column, value). 0 and −0 are the same.
/// Zeros don't count in a sparse row and do in a dense one, so hashes of different layouts can't be compared.
class RowHasher {
 public:
  template <class V>
  std::uint64_t operator()(const SparseRow<V>& x) {
    std::uint64_t sum = 0;
    for_each_entry(x, [&](std::uint32_t column, double value) {
      if (value == 0) return;
      if (column >= key_.size()) grow(column);
      sum += term(value, key_[column]);
    });
    return finished(sum);
  }
  template <class V>
  std::uint64_t operator()(const DenseRow<V>& x) {
    if (x.size > key_.size()) grow(static_cast<std::uint32_t>(x.size - 1));
    std::uint64_t sum = 0;
    for (std::size_t j = 0; j < x.size; ++j) sum += term(static_cast<double>(x.value[j]), key_[j]);
    return finished(sum);
  }

  /// The hash of −x.
  template <class V>
  std::uint64_t opposite(const SparseRow<V>& x) {
    negated_.resize(x.size);
    for (std::size_t k = 0; k < x.size; ++k) negated_[k] = -static_cast<double>(x.value[k]);
    return (*this)(SparseRow<double>{x.column, negated_.data(), x.size});
  }
  template <class V>
  std::uint64_t opposite(const DenseRow<V>& x) {
    negated_.resize(x.size);
    for (std::size_t k = 0; k < x.size; ++k) negated_[k] = -static_cast<double>(x.value[k]);
    return (*this)(DenseRow<double>{negated_.data(), x.size});
  }

 private:
  /// Two 32-bit halves, each added to a random one, are multiplied. This is quick in vectors.
  static std::uint64_t term(double value, std::uint64_t key) {
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0) + key;
    return (bits & 0xffffffffU) * ((bits ^ key) >> 32) + bits;
  }
  static std::uint64_t finished(std::uint64_t sum) { return keyed_hash(0, sum); }
  void grow(std::uint32_t column);

  std::vector<std::uint64_t> key_;
  std::vector<double> negated_;
};

/// Rows of opposite sides with equal hashes, each row in at most one pair, and as many pairs as possible. Hash and side
/// of row i are hash[i] and positive[i]. Pairs ascend by their first row. Within a group of equal hashes the k-th row
/// of one side goes with the k-th of the other.
std::vector<std::pair<std::int64_t, std::int64_t>> conflicting_pairs(const std::vector<std::uint64_t>& hash,
                                                                     const std::vector<std::uint8_t>& positive);

}  // namespace linsep

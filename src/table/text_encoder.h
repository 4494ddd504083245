// TextEncoder: from a text to the weights of its terms.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "linsep/table/map.h"
#include "table/feature_counts.h"
#include "table/key_table.h"
#include "table/terms.h"

namespace linsep {

/// An encoded value: a feature of the encoder (from 0) and its value, in double, before any rounding to float.
struct EncodedValue {
  std::uint32_t feature = 0;
  double value = 0;

  bool operator==(const EncodedValue&) const = default;
};

/// Numbers of a sparse set, and the place of each among them.
class RankedSet {
 public:
  static constexpr std::uint32_t kNone = KeyTable::kNone;

  RankedSet() = default;
  /// REQUIRES: `members` ascend strictly, and are below `end`.
  RankedSet(const std::vector<std::uint32_t>& members, std::uint64_t end);

  /// kNone where it isn't a member.
  std::uint32_t place_of(std::uint32_t number) const {
    const Block& block = blocks_[number / 64];
    const std::uint64_t bit = std::uint64_t{1} << (number % 64);
    if ((block.members & bit) == 0) return kNone;
    return block.before + static_cast<std::uint32_t>(std::popcount(block.members & (bit - 1)));
  }

 private:
  struct Block {
    std::uint64_t members = 0;
    std::uint32_t before = 0;  ///< members of the blocks before
  };
  std::vector<Block> blocks_;
};

/// What every thread may share of an encoder of kind kText: look-up tables.
class TextIndex {
 public:
  /// REQUIRES: encoder.kind is kText; the encoder outlives this object.
  explicit TextIndex(const Encoder& encoder);

  const Encoder& encoder() const { return encoder_; }
  /// The feature of a key; KeyTable::kNone where it weighs nothing. `sign` is −1 where the term counts negatively.
  std::uint32_t feature_of(std::uint64_t key, double& sign) const {
    sign = 1;
    if (encoder_.bits == 0) return table_.find(key);
    if (encoder_.has_signs && key >> 63 != 0) sign = -1;
    const auto bucket = static_cast<std::uint32_t>(key & ((std::uint64_t{1} << encoder_.bits) - 1));
    return !encoder_.every_bucket && buckets_.place_of(bucket) == KeyTable::kNone ? KeyTable::kNone : bucket;
  }
  /// Asks for the memory that `feature_of` will look at, and then `idf_of`.
  void prefetch(std::uint64_t key) const {
    if (encoder_.bits == 0) table_.prefetch(key);
  }
  void prefetch_idf(std::uint32_t feature) const {
    if (encoder_.bits == 0 && !encoder_.idf.empty()) __builtin_prefetch(&encoder_.idf[feature]);
  }
  /// The idf of a feature that `feature_of` returned.
  double idf_of(std::uint32_t feature) const {
    if (encoder_.idf.empty()) return 1;
    return encoder_.idf[encoder_.bits == 0 ? feature : buckets_.place_of(feature)];
  }

 private:
  const Encoder& encoder_;
  KeyTable table_;     ///< exact: from keys to features
  RankedSet buckets_;  ///< hashed: those in use
};

/// One for each thread.
class TextEncoder {
 public:
  /// REQUIRES: the index outlives this object.
  explicit TextEncoder(const TextIndex& index);

  /// Appends the values of a text, features ascending, none of them 0. In this order: count·sign per feature (terms
  /// that share a bucket add up); its weight: √|count|, count or 1, with the count's sign; times idf; divided by the
  /// square root of the sum of squares in ascending order of features, where `norm`. Returns whether any term was
  /// known.
  bool encode(std::string_view text, std::vector<EncodedValue>& out);

 private:
  const TextIndex& index_;
  TermReader reader_;
  FeatureCounts counts_;
};

}  // namespace linsep

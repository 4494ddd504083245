// TermWeigher turns a text into the weights of its terms.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "linsep/table/map.h"
#include "table/key_table.h"
#include "table/terms.h"

namespace linsep {

/// An encoded value: a feature of the encoder (from 0) and its value as a double, before any rounding to float.
struct EncodedValue {
  std::uint32_t feature = 0;
  double value = 0;

  bool operator==(const EncodedValue&) const = default;
};

/// Counts how often a text contains each feature, and returns the counts in ascending order. Bits mark the features
/// met. A second and a third level of bits mark the words of the level before that aren't 0. Repeated features are
/// listed apart and sorted. A counter per feature instead would cost an access to distant memory for each term.
class FeatureCounts {
 public:
  /// REQUIRES: fewer than 2³¹ features.
  FeatureCounts(std::uint64_t features, bool has_signs) {
    for (std::vector<std::uint64_t>& level : met_) {
      features = (features + 63) / 64;
      level.resize(features);
    }
    if (has_signs) negative_.resize(met_[0].size());
  }

  /// Counts 1 for a feature, or −1.
  void add(std::uint32_t feature, bool negative) {
    const std::size_t word = feature / 64;
    const std::uint64_t bit = std::uint64_t{1} << (feature % 64);
    if ((met_[0][word] & bit) != 0) {
      again_.push_back(2 * feature + (negative ? 1 : 0));
      return;
    }
    met_[0][word] |= bit;
    met_[1][word / 64] |= std::uint64_t{1} << (word % 64);
    met_[2][word / 4096] |= std::uint64_t{1} << (word / 64 % 64);
    if (negative) negative_[word] |= bit;
  }

  /// Calls take(feature, count) for each feature that was added, in ascending order, and resets the counts.
  template <class Take>
  void drain(const Take& take) {
    std::sort(again_.begin(), again_.end());
    auto next = again_.begin();
    for (std::size_t i = 0; i < met_[2].size(); ++i) {
      for_bits(met_[2][i], i, [&](std::size_t j) {
        for_bits(met_[1][j], j, [&](std::size_t word) {
          const std::uint64_t negative = negative_.empty() ? 0 : negative_[word];
          if (negative != 0) negative_[word] = 0;
          for_bits(met_[0][word], word, [&](std::size_t feature) {
            std::int32_t count = (negative >> (feature % 64) & 1) != 0 ? -1 : 1;
            for (; next != again_.end() && *next / 2 == feature; ++next) count += *next % 2 == 0 ? 1 : -1;
            take(static_cast<std::uint32_t>(feature), count);
          });
        });
      });
    }
    again_.clear();
  }

 private:
  /// Visits the bits of the word, and leaves it 0.
  template <class Visit>
  static void for_bits(std::uint64_t& word, std::size_t number, const Visit& visit) {
    for (; word != 0; word &= word - 1) visit(64 * number + static_cast<std::size_t>(std::countr_zero(word)));
  }

  std::array<std::vector<std::uint64_t>, 3> met_;
  std::vector<std::uint64_t> negative_;  ///< the features met that were negative first, or empty if there are no signs
  std::vector<std::uint32_t> again_;     ///< twice the feature, and 1 more if it is negative
};

/// A sparse set of numbers that finds the rank of each.
class RankedSet {
 public:
  static constexpr std::uint32_t kNone = KeyTable::kNone;

  RankedSet() = default;
  /// REQUIRES: `members` ascend strictly, and are below `end`.
  RankedSet(const std::vector<std::uint32_t>& members, std::uint64_t end);

  /// Returns kNone if the number isn't a member.
  std::uint32_t place_of(std::uint32_t number) const {
    const Block& block = blocks_[number / 64];
    const std::uint64_t bit = std::uint64_t{1} << (number % 64);
    if ((block.members & bit) == 0) return kNone;
    return block.before + static_cast<std::uint32_t>(std::popcount(block.members & (bit - 1)));
  }

 private:
  struct Block {
    std::uint64_t members = 0;
    std::uint32_t before = 0;  ///< members in earlier blocks
  };
  std::vector<Block> blocks_;
};

/// The look-up tables of a text's encoder, which all threads may share.
class TextIndex {
 public:
  /// REQUIRES: the encoder outlives this object.
  explicit TextIndex(const TextEncoder& encoder);

  const TextEncoder& encoder() const { return encoder_; }
  /// Returns the feature of a key, or KeyTable::kNone if it has no weight. `sign` is −1 if the term counts negatively.
  std::uint32_t feature_of(std::uint64_t key, double& sign) const {
    sign = 1;
    if (encoder_.bits == 0) return table_.find(key);
    if (encoder_.has_signs && key >> 63 != 0) sign = -1;
    const auto bucket = static_cast<std::uint32_t>(key & ((std::uint64_t{1} << encoder_.bits) - 1));
    return !encoder_.every_bucket && buckets_.place_of(bucket) == KeyTable::kNone ? KeyTable::kNone : bucket;
  }
  /// Prefetches the memory that `feature_of` will read, and then what `idf_of` will read.
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
  const TextEncoder& encoder_;
  KeyTable table_;     ///< exact: from keys to features
  RankedSet buckets_;  ///< hashed: the buckets in use
};

/// Each thread needs its own.
class TermWeigher {
 public:
  /// REQUIRES: the index outlives this object.
  explicit TermWeigher(const TextIndex& index);

  /// Appends the values of a text, features ascending, none of them 0. They are computed in this order:
  /// 1. count·sign per feature (terms that share a bucket add up)
  /// 2. its weight, which is √|count|, count or 1, with the count's sign
  /// 3. times idf
  /// 4. if `norm`, divided by the square root of the sum of squares in ascending order of features
  /// Returns whether any term was known.
  bool encode(std::string_view text, std::vector<EncodedValue>& out);

 private:
  const TextIndex& index_;
  TermReader reader_;
  FeatureCounts counts_;
};

}  // namespace linsep

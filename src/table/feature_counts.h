// FeatureCounts: how often each feature was met in a text, given back in ascending order. Bits stand for the features
// met, bits of a second and a third level for words of the first that aren't 0; what is met again is noted aside and
// sorted. A number for each feature instead would be a look into far memory for each term.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace linsep {

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

  /// Calls take(feature, count) for each feature that was added, in ascending order, and forgets them.
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
  /// Sets the word to 0.
  template <class Visit>
  static void for_bits(std::uint64_t& word, std::size_t number, const Visit& visit) {
    for (; word != 0; word &= word - 1) visit(64 * number + static_cast<std::size_t>(std::countr_zero(word)));
  }

  std::array<std::vector<std::uint64_t>, 3> met_;
  std::vector<std::uint64_t> negative_;  ///< of the features met, those that were negative first; empty: no signs
  std::vector<std::uint32_t> again_;     ///< twice the feature, and 1 more where it is negative
};

}  // namespace linsep

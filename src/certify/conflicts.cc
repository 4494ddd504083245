#include "certify/conflicts.h"

#include <algorithm>
#include <bit>

namespace linsep {
namespace {

constexpr std::uint64_t kSeed = 0x5e9a;

/// One bit for each class of hashes and side. Most data have no conflict at all, and this shows it without a sort.
class SeenHashes {
 public:
  explicit SeenHashes(std::size_t rows) : mask_(std::bit_ceil(8 * rows + 64) - 1), word_((mask_ + 1) / 64) {}
  void add(std::uint64_t hash) { word_[(hash & mask_) / 64] |= std::uint64_t{1} << (hash & 63); }
  bool has(std::uint64_t hash) const { return (word_[(hash & mask_) / 64] >> (hash & 63)) & 1; }

 private:
  std::uint64_t mask_;
  std::vector<std::uint64_t> word_;
};

}  // namespace

void RowHasher::grow(std::uint32_t column) {
  const std::size_t before = key_.size();
  key_.resize(std::max<std::size_t>(2 * before, std::size_t{column} + 1));
  for (std::size_t j = before; j < key_.size(); ++j) key_[j] = keyed_hash(kSeed, j);
}

std::vector<std::pair<std::int64_t, std::int64_t>> conflicting_pairs(const std::vector<std::uint64_t>& hash,
                                                                     const std::vector<std::uint8_t>& positive) {
  // Rows whose hash may occur on the other side.
  SeenHashes positives(hash.size());
  for (std::size_t i = 0; i < hash.size(); ++i) {
    if (positive[i]) positives.add(hash[i]);
  }
  SeenHashes negatives(hash.size());
  std::vector<std::size_t> suspect;
  for (std::size_t i = 0; i < hash.size(); ++i) {
    if (positive[i] || !positives.has(hash[i])) continue;
    negatives.add(hash[i]);
    suspect.push_back(i);
  }
  for (std::size_t i = 0; i < hash.size() && !suspect.empty(); ++i) {
    if (positive[i] && negatives.has(hash[i])) suspect.push_back(i);
  }
  std::sort(suspect.begin(), suspect.end(), [&](std::size_t a, std::size_t b) {
    return hash[a] != hash[b] ? hash[a] < hash[b] : positive[a] != positive[b] ? positive[a] < positive[b] : a < b;
  });

  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (std::size_t from = 0; from < suspect.size();) {
    std::size_t middle = from;
    while (middle < suspect.size() && hash[suspect[middle]] == hash[suspect[from]] && !positive[suspect[middle]])
      ++middle;
    std::size_t end = middle;
    while (end < suspect.size() && hash[suspect[end]] == hash[suspect[from]]) ++end;
    for (std::size_t k = 0; from + k < middle && middle + k < end; ++k) {
      const auto a = static_cast<std::int64_t>(suspect[from + k]);
      const auto b = static_cast<std::int64_t>(suspect[middle + k]);
      pairs.emplace_back(std::min(a, b), std::max(a, b));
    }
    from = end;
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace linsep

#include "certify/conflicts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace linsep {
namespace {

TEST(RowHasher, EqualRowsHaveEqualHashesWhateverTheirZeros) {
  RowHasher hasher;
  const std::vector<std::uint32_t> column = {1, 4, 7};
  const std::vector<double> value = {0.5, 0.0, -2};
  const std::vector<std::uint32_t> short_column = {1, 7};
  const std::vector<float> short_value = {0.5F, -2};
  EXPECT_EQ(hasher(SparseRow<double>{column.data(), value.data(), 3}),
            hasher(SparseRow<float>{short_column.data(), short_value.data(), 2}));
  const std::vector<double> zero = {0.0, 1};
  const std::vector<double> minus_zero = {-0.0, 1};
  EXPECT_EQ(hasher(DenseRow<double>{zero.data(), 2}), hasher(DenseRow<double>{minus_zero.data(), 2}));
}

TEST(RowHasher, TheOppositeOfTheOppositeIsTheRow) {
  RowHasher hasher;
  const std::vector<double> value = {0.5, 3, -2};
  const std::vector<double> negated = {-0.5, -3, 2};
  EXPECT_EQ(hasher.opposite(DenseRow<double>{value.data(), 3}), hasher(DenseRow<double>{negated.data(), 3}));
  EXPECT_NE(hasher.opposite(DenseRow<double>{value.data(), 3}), hasher(DenseRow<double>{value.data(), 3}));
}

TEST(ConflictingPairs, AreAsManyAsTheSmallerSideOfEachGroup) {
  Random random(9);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint64_t> hash;
    std::vector<std::uint8_t> positive;
    std::map<std::uint64_t, std::pair<std::int64_t, std::int64_t>> group;
    const std::size_t rows = random.below(60);
    for (std::size_t i = 0; i < rows; ++i) {
      hash.push_back(keyed_hash(1, random.below(20)));
      positive.push_back(static_cast<std::uint8_t>(random.below(2)));
      ++(positive.back() ? group[hash.back()].first : group[hash.back()].second);
    }
    std::int64_t expected = 0;
    for (const auto& [h, sides] : group) expected += std::min(sides.first, sides.second);
    const auto pairs = conflicting_pairs(hash, positive);
    ASSERT_EQ(static_cast<std::int64_t>(pairs.size()), expected);
    std::set<std::int64_t> used;
    for (const auto& [a, b] : pairs) {
      EXPECT_LT(a, b);
      EXPECT_EQ(hash[static_cast<std::size_t>(a)], hash[static_cast<std::size_t>(b)]);
      EXPECT_NE(positive[static_cast<std::size_t>(a)], positive[static_cast<std::size_t>(b)]);
      EXPECT_TRUE(used.insert(a).second);
      EXPECT_TRUE(used.insert(b).second);
    }
  }
}

}  // namespace
}  // namespace linsep

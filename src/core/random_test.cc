#include "core/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

namespace linsep {
namespace {

TEST(Random, DependsOnSeedAndStreamAlone) {
  Random a(1, 2), b(1, 2), other_stream(1, 3), other_seed(2, 2);
  const std::uint64_t first = a.bits();
  EXPECT_EQ(first, b.bits());
  EXPECT_NE(first, other_stream.bits());
  EXPECT_NE(first, other_seed.bits());
}

TEST(Random, KeepsItsBitsForEver) {
  // Generated sets and shuffles must stay the same from release to release.
  EXPECT_EQ(keyed_hash(0, 0), 5197578548964807871ULL);
  EXPECT_EQ(Random(7, 1).bits(), 8674098672568718520ULL);
}

TEST(Random, UniformAndNormalHaveTheirMoments) {
  Random random(5);
  double sum = 0, squares = 0, normal = 0, normal_squares = 0;
  const int draws = 200000;
  for (int i = 0; i < draws; ++i) {
    const double u = random.uniform(), z = random.normal();
    sum += u;
    squares += u * u;
    normal += z;
    normal_squares += z * z;
  }
  EXPECT_NEAR(sum / draws, 0.5, 0.005);
  EXPECT_NEAR(squares / draws, 1.0 / 3, 0.005);
  EXPECT_NEAR(normal / draws, 0, 0.01);
  EXPECT_NEAR(normal_squares / draws, 1, 0.02);
}

TEST(Random, BelowReachesEveryValueAndNoOther) {
  Random random(9);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.below(7));
  EXPECT_EQ(seen.size(), 7U);
  EXPECT_EQ(*seen.rbegin(), 6U);
}

}  // namespace
}  // namespace linsep

#include "table/feature_counts.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <utility>

#include "core/random.h"

namespace linsep {
namespace {

using Counted = std::vector<std::pair<std::uint32_t, std::int32_t>>;

Counted drained(FeatureCounts& counts) {
  Counted all;
  counts.drain([&](std::uint32_t feature, std::int32_t count) { all.emplace_back(feature, count); });
  return all;
}

TEST(FeatureCounts, ComeBackInAscendingOrder) {
  rc::check([](std::uint64_t seed) {
    Random random(seed);
    const std::uint64_t features = 1 + random.below(std::uint64_t{1} << (1 + random.below(20)));
    const bool has_signs = random.below(2) == 0;
    FeatureCounts counts(features, has_signs);
    for (int text = 0; text < 3; ++text) {
      std::map<std::uint32_t, std::int32_t> expected;
      for (std::uint64_t n = random.below(200); n > 0; --n) {
        const auto feature = static_cast<std::uint32_t>(random.below(1 + random.below(features)));
        const bool negative = has_signs && random.below(2) == 0;
        counts.add(feature, negative);
        expected[feature] += negative ? -1 : 1;
      }
      const Counted all(expected.begin(), expected.end());
      RC_ASSERT(drained(counts) == all);
    }
  });
}

}  // namespace
}  // namespace linsep

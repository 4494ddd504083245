#include "table/term_weigher.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <map>
#include <utility>

#include "core/random.h"

namespace linsep {
namespace {

using Values = std::vector<EncodedValue>;

TextEncoder text_encoder() {
  TextEncoder encoder;
  encoder.words = {1, 2};
  encoder.terms = {"free", "prize", "free prize", "call"};
  encoder.norm = false;
  return encoder;
}

Values encoded(const TextEncoder& encoder, std::string_view text) {
  const TextIndex index(encoder);
  TermWeigher make(index);
  Values values;
  make.encode(text, values);
  return values;
}

TEST(TermWeigher, WeighsEachKnownTermByItsCount) {
  TextEncoder encoder = text_encoder();
  const char* const text = "Call: free prize! Free, FREE unknown";
  EXPECT_EQ(encoded(encoder, text), (Values{{0, std::sqrt(3.0)}, {1, 1}, {2, 1}, {3, 1}}));
  encoder.weight = TermWeight::kCount;
  EXPECT_EQ(encoded(encoder, text), (Values{{0, 3}, {1, 1}, {2, 1}, {3, 1}}));
  encoder.weight = TermWeight::kPresence;
  encoder.idf = {2, 3, 5, 7};
  EXPECT_EQ(encoded(encoder, text), (Values{{0, 2}, {1, 3}, {2, 5}, {3, 7}}));
}

TEST(TermWeigher, DividesByTheLengthOfTheBlock) {
  TextEncoder encoder = text_encoder();
  encoder.norm = true;
  encoder.weight = TermWeight::kCount;
  EXPECT_EQ(encoded(encoder, "call call call free free free free"), (Values{{0, 4.0 / 5}, {3, 3.0 / 5}}));
}

TEST(TermWeigher, SaysWhetherATermWasKnown) {
  const TextEncoder encoder = text_encoder();
  const TextIndex index(encoder);
  TermWeigher make(index);
  Values values = {{9, 9}};
  EXPECT_FALSE(make.encode("nothing of it", values));
  EXPECT_FALSE(make.encode("", values));
  EXPECT_EQ(values, (Values{{9, 9}}));
  EXPECT_TRUE(make.encode("prize", values));
  EXPECT_EQ(values, (Values{{9, 9}, {1, 1}})) << "appended";
}

TEST(TermWeigher, HashesTermsIntoBucketsByTheLowBitsOfTheirKeys) {
  TextEncoder encoder = text_encoder();
  encoder.terms.clear();
  encoder.words = {1, 1};
  encoder.bits = 10;
  const auto bucket = static_cast<std::uint32_t>(value_key("prize") & 1023);
  EXPECT_EQ(encoded(encoder, "Prize"), (Values{{bucket, 1}}));
  encoder.has_signs = true;
  EXPECT_EQ(encoded(encoder, "prize prize prize prize"),
            (Values{{bucket, value_key("prize") >> 63 != 0 ? -2.0 : 2.0}}));
  encoder.has_signs = false;
  encoder.every_bucket = false;
  EXPECT_EQ(encoded(encoder, "prize"), Values{});
  encoder.buckets = {bucket};
  encoder.idf = {2.5};
  EXPECT_EQ(encoded(encoder, "prize free"), (Values{{bucket, 2.5}}));
}

TEST(TermWeigher, TermsOfOppositeSignsInABucketCancel) {
  TextEncoder encoder = text_encoder();
  encoder.terms.clear();
  encoder.words = {1, 1};
  encoder.bits = 10;
  encoder.has_signs = true;
  const std::uint64_t wanted = value_key("w0");
  std::string other;
  for (int i = 1; other.empty(); ++i) {
    const std::uint64_t key = value_key("w" + std::to_string(i));
    if ((key & 1023) == (wanted & 1023) && key >> 63 != wanted >> 63) other = "w" + std::to_string(i);
  }
  const TextIndex index(encoder);
  TermWeigher make(index);
  Values values;
  EXPECT_TRUE(make.encode("w0 " + other, values));
  EXPECT_EQ(values, Values{});
}

TEST(RankedSet, KnowsThePlaceOfEachMember) {
  const std::vector<std::uint32_t> members = {0, 3, 63, 64, 700, 1023};
  const RankedSet set(members, 1024);
  for (std::uint32_t number = 0, place = 0; number < 1024; ++number) {
    const bool is_member = place < members.size() && members[place] == number;
    EXPECT_EQ(set.place_of(number), is_member ? place : RankedSet::kNone);
    if (is_member) ++place;
  }
}

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

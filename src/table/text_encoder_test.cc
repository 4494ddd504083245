#include "table/text_encoder.h"

#include <gtest/gtest.h>

#include <cmath>

namespace linsep {
namespace {

using Values = std::vector<EncodedValue>;

Encoder text_encoder() {
  Encoder encoder;
  encoder.column = "body";
  encoder.kind = Encoder::Kind::kText;
  encoder.words = {1, 2};
  encoder.terms = {"free", "prize", "free prize", "call"};
  encoder.norm = false;
  return encoder;
}

Values encoded(const Encoder& encoder, std::string_view text) {
  const TextIndex index(encoder);
  TextEncoder make(index);
  Values values;
  make.encode(text, values);
  return values;
}

TEST(TextEncoder, WeighsEachKnownTermByItsCount) {
  Encoder encoder = text_encoder();
  const char* const text = "Call: free prize! Free, FREE unknown";
  EXPECT_EQ(encoded(encoder, text), (Values{{0, std::sqrt(3.0)}, {1, 1}, {2, 1}, {3, 1}}));
  encoder.weight = TermWeight::kCount;
  EXPECT_EQ(encoded(encoder, text), (Values{{0, 3}, {1, 1}, {2, 1}, {3, 1}}));
  encoder.weight = TermWeight::kPresence;
  encoder.idf = {2, 3, 5, 7};
  EXPECT_EQ(encoded(encoder, text), (Values{{0, 2}, {1, 3}, {2, 5}, {3, 7}}));
}

TEST(TextEncoder, DividesByTheLengthOfTheBlock) {
  Encoder encoder = text_encoder();
  encoder.norm = true;
  encoder.weight = TermWeight::kCount;
  EXPECT_EQ(encoded(encoder, "call call call free free free free"), (Values{{0, 4.0 / 5}, {3, 3.0 / 5}}));
}

TEST(TextEncoder, SaysWhetherATermWasKnown) {
  const Encoder encoder = text_encoder();
  const TextIndex index(encoder);
  TextEncoder make(index);
  Values values = {{9, 9}};
  EXPECT_FALSE(make.encode("nothing of it", values));
  EXPECT_FALSE(make.encode("", values));
  EXPECT_EQ(values, (Values{{9, 9}}));
  EXPECT_TRUE(make.encode("prize", values));
  EXPECT_EQ(values, (Values{{9, 9}, {1, 1}})) << "appended";
}

TEST(TextEncoder, HashesTermsIntoBucketsByTheLowBitsOfTheirKeys) {
  Encoder encoder = text_encoder();
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

TEST(TextEncoder, TermsOfOppositeSignsInABucketCancel) {
  Encoder encoder = text_encoder();
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
  TextEncoder make(index);
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

}  // namespace
}  // namespace linsep

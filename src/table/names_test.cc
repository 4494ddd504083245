#include <gtest/gtest.h>

#include "table/testing.h"

namespace linsep {
namespace {

std::vector<std::string> all_names(const TableMap& map) {
  std::vector<std::string> names;
  for (std::uint32_t j = 0; j < encoder_starts(map).back(); ++j) names.push_back(encoded_name(map, j));
  return names;
}

using Names = std::vector<std::string>;

TEST(EncodedName, OfANumberIsItsColumnAndAHoleIsSaidSo) {
  EXPECT_EQ(all_names(table_of(number_example())), (Names{"age", "age is missing"}));
}

TEST(EncodedName, OfACategoryHasItsValue) {
  EXPECT_EQ(all_names(table_of(category_example())),
            (Names{"sender \"id\"=bob", "sender \"id\"=(rare)", "sender \"id\"=\xff\x01", "sender \"id\"=Zoë",
                   "sender \"id\"=", "sender \"id\"=(rare)", "sender \"id\" is missing"}));
}

TEST(EncodedName, OfATextHasItsTermAndCharactersStandInQuotes) {
  EXPECT_EQ(all_names(table_of(text_example())), (Names{"body:free", "body:free prize", "body:état"}));
  EXPECT_EQ(all_names(table_of(characters_example())), (Names{"body:'fre'", "body:' fr'"}));
}

TEST(EncodedName, OfABucketIsItsFirstTermOrItsNumber) {
  const TableMap map = table_of(hashed_example());
  EXPECT_EQ(encoded_name(map, 3), "subject:win");
  EXPECT_EQ(encoded_name(map, 1023), "subject:cash");
  EXPECT_EQ(encoded_name(map, 700), "subject:#700");
  CategoryEncoder hashed;
  static_cast<TermSet&>(hashed) = *map.encoders[0].terms();
  hashed.missing = true;
  const Encoder category{"subject", hashed};
  EXPECT_EQ(encoded_name(table_of(category), 3), "subject=win");
  EXPECT_EQ(encoded_name(table_of(category), 4), "subject=#4");
  EXPECT_EQ(encoded_name(table_of(category), 1024), "subject is missing");
}

TEST(EncodedName, OfADateCountsDaysOfTheWeekAndMonthsFromOne) {
  const Names names = all_names(table_of(date_example()));
  ASSERT_EQ(names.size(), 1U + 7 + 12 + 24 + 1);
  EXPECT_EQ(names[0], "when:days");
  EXPECT_EQ(names[1], "when:weekday=1");
  EXPECT_EQ(names[7], "when:weekday=7");
  EXPECT_EQ(names[8], "when:month=1");
  EXPECT_EQ(names[19], "when:month=12");
  EXPECT_EQ(names[20], "when:hour=0");
  EXPECT_EQ(names[43], "when:hour=23");
  EXPECT_EQ(names[44], "when is missing");
}

TEST(EncodedName, OfCrossesHasBothColumns) {
  const TableMap map = table_example();
  const auto starts = encoder_starts(map);
  const std::size_t crosses = map.encoders.size() - 3;
  EXPECT_EQ(encoded_name(map, starts[crosses]), "country=FR*sender \"id\"=bob");
  EXPECT_EQ(encoded_name(map, starts[crosses] + 2), "country*sender \"id\"=(rare)");
  EXPECT_EQ(encoded_name(map, starts[crosses + 1]), "age*sender \"id\"=bob");
  EXPECT_EQ(encoded_name(map, starts[crosses + 2] - 1), "age*sender \"id\" is missing");
  EXPECT_EQ(encoded_name(map, starts.back() - 1), "age*age");
  Encoder hashed = map.encoders[crosses];
  as<CrossEncoder>(hashed).terms.clear();
  as<CrossEncoder>(hashed).rare = false;
  as<CrossEncoder>(hashed).bits = 10;
  as<CrossEncoder>(hashed).names = {{7,
                                     "FR\x1f"
                                     "bob",
                                     ""}};
  EXPECT_EQ(encoded_name(table_of(hashed), 7), "country=FR*sender \"id\"=bob");
  EXPECT_EQ(encoded_name(table_of(hashed), 8), "country*sender \"id\"=#8");
}

TEST(EncodedName, OfAVectorCountsFromZero) {
  EXPECT_EQ(all_names(table_of(vector_example())), (Names{"embedding[0]", "embedding[1]", "embedding[2]"}));
}

}  // namespace
}  // namespace linsep

#include "table/kinds.h"

#include <gtest/gtest.h>

#include <charconv>

namespace linsep {
namespace {

using What = FoundKind::What;

bool is_number(std::string_view field) {
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  return error == std::errc() && end == field.data() + field.size();
}

What kind_of(const std::vector<std::string_view>& fields, const std::vector<std::string>& words = {}) {
  return find_kind(fields, words, {is_number}).what;
}

std::vector<std::string> numbered(const std::string& before, int count) {
  std::vector<std::string> all;
  for (int i = 0; i < count; ++i) all.push_back(before + std::to_string(i));
  return all;
}

What kind_of_strings(const std::vector<std::string>& fields) { return kind_of({fields.begin(), fields.end()}); }

TEST(Kinds, AHoleIsEmptyOrAWordForIt) {
  for (const char* hole : {"", "NA", "na", "n/a", "N/A", "NaN", "null", "None", "?", "-"}) {
    EXPECT_TRUE(is_hole(hole, {})) << hole;
  }
  for (const char* value : {"0", "nah", "--", "Namibia", " ", "nanny"}) EXPECT_FALSE(is_hole(value, {})) << value;
  const std::vector<std::string> words = {"missing"};
  EXPECT_TRUE(is_hole("missing", words));
  EXPECT_FALSE(is_hole("Missing", words));
}

TEST(Kinds, NumbersWithHolesAreNumbers) {
  EXPECT_EQ(kind_of({"1", "", "2.5", "NA", "-3e7"}), What::kNumber);
  EXPECT_EQ(kind_of({"0", "0.5", "-0.5", "0"}), What::kNumber);
  EXPECT_EQ(kind_of({"1", "missing"}), What::kCategory);
  EXPECT_EQ(kind_of({"1", "missing"}, {"missing"}), What::kNumber);
}

TEST(Kinds, BooleansAreNumbers) {
  const auto format = [](const std::vector<std::string_view>& fields) {
    const FoundKind found = find_kind(fields, {}, {is_number});
    return found.what == What::kNumber ? found.format : "none";
  };
  EXPECT_EQ(format({"true", "false", "", "NA"}), "true/false");
  EXPECT_EQ(format({"True", "FALSE", "true"}), "true/false");
  EXPECT_EQ(format({"true", "unknown"}), "none");
  EXPECT_EQ(format({"true", "1"}), "none");
  EXPECT_EQ(format({"yes", "no"}), "none");
}

TEST(Kinds, ACodeIsNoNumber) {
  EXPECT_EQ(kind_of({"007", "12"}), What::kCategory);
  EXPECT_EQ(kind_of({"12", "-01"}), What::kCategory);
  const std::vector<std::string_view> zips = {"01234", "99999"};
  EXPECT_EQ(find_kind(zips, {}, {is_number}).reason, "codes that begin with 0");
}

TEST(Kinds, DatesAreDates) {
  EXPECT_EQ(kind_of({"2026-11-15", "", "?", "2026-11-15 17:03"}), What::kDate);
  EXPECT_EQ(kind_of({"2026-11-15", "2026-11-31"}), What::kCategory);
}

TEST(Kinds, AStrayZeroMakesNoCodes) {
  std::vector<std::string> fields = numbered("1", 40);
  fields.emplace_back("007");
  EXPECT_EQ(kind_of_strings(fields), What::kNumber);
}

TEST(Kinds, FieldsUnlikeNineInTenAreOdd) {
  std::vector<std::string> fields = numbered("", 18);
  fields.insert(fields.begin() + 3, "#REF!");
  fields.insert(fields.begin() + 7, "");
  fields.insert(fields.begin() + 9, "4O");
  const std::vector<std::string_view> views(fields.begin(), fields.end());
  const FoundKind found = find_kind(views, {}, {is_number});
  EXPECT_EQ(found.what, What::kNumber);
  EXPECT_EQ(found.odd, (std::vector<std::size_t>{3, 9}));
  EXPECT_EQ(found.values, 20u);
  fields.emplace_back("one more than a tenth");
  EXPECT_EQ(kind_of_strings(fields), What::kCategory);
}

TEST(Kinds, AColumnThatAgreesHasAStyle) {
  const auto format = [](const std::vector<std::string_view>& fields, const NumberRules& rules = {is_number}) {
    const FoundKind found = find_kind(fields, {}, rules);
    return found.odd.empty() && !found.doubt ? found.format : "none";
  };
  EXPECT_EQ(format({"1", "2.5"}), "");
  EXPECT_EQ(format({"1,234.5", "12", ""}), "1,234.5");
  EXPECT_EQ(format({"1,234", "1,234,567"}, {is_number, '.', false, false}), "1,234.5");
  EXPECT_EQ(format({"1,234", "5,678"}, {is_number, '.', false, false}), "none");
  EXPECT_EQ(format({"1,234", "5,678"}, {is_number, ',', true, true}), "");
  EXPECT_EQ(format({"1.234", "5.678"}, {is_number, ',', true, false}), "1.234,5");
  EXPECT_EQ(format({"12,5", "1"}), "1234,5");
  EXPECT_EQ(format({"5 %", "7%"}), "1234.5%");
  EXPECT_EQ(format({"15.11.2026", "01.02.2026"}), "%d.%m.%Y");
  EXPECT_EQ(format({"15/11/2026", "01/02/2026"}), "%d/%m/%Y");
  EXPECT_EQ(format({"05/11/2026", "01/02/2026"}), "none");
}

TEST(Kinds, AFieldShowsADecimalSignOrDoesNot) {
  for (const char* field : {"12.5", "1,234.5", "1,234,567", "$0.5", "0.123"})
    EXPECT_EQ(shown_decimal(field), '.') << field;
  for (const char* field : {"12,5", "1.234,5", "1.234.567", "0,5 €"}) EXPECT_EQ(shown_decimal(field), ',') << field;
  for (const char* field : {"", "12", "1,234", "1.234", "a.b", "-", "1e5"}) EXPECT_EQ(shown_decimal(field), 0) << field;
}

TEST(Kinds, NothingIsSaidOfHolesAlone) {
  EXPECT_EQ(kind_of({"", "NA"}), What::kNothing);
  EXPECT_EQ(kind_of({}), What::kNothing);
}

TEST(Kinds, TextsHaveThreeWordsOnAverageAndDiffer) {
  EXPECT_EQ(kind_of({"a free prize", "hello", "see you at the station"}), What::kText);
  EXPECT_EQ(kind_of({"one two", "three four"}), What::kCategory);
  // Exactly half of them are distinct, which isn't over half.
  EXPECT_EQ(kind_of({"no prize at all", "no prize at all", "some words of another", "no prize at all"}),
            What::kCategory);
  EXPECT_EQ(kind_of({"今日は天気がいい", "明日も天気がいい"}), What::kText);
}

TEST(Kinds, AnIdIsOneWordThatIsDifferentInAHundredRows) {
  EXPECT_EQ(kind_of_strings(numbered("row-", 100)), What::kId);
  EXPECT_EQ(kind_of_strings(numbered("row-", 99)), What::kCategory);
  std::vector<std::string> twice = numbered("row-", 100);
  twice.push_back("row-0");
  EXPECT_EQ(kind_of_strings(twice), What::kCategory);
  EXPECT_EQ(kind_of_strings(numbered("row ", 100)), What::kCategory);
}

}  // namespace
}  // namespace linsep

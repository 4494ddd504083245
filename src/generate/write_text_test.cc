#include "generate/recipes.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <limits>

namespace linsep {
namespace {

std::string decimal(std::int64_t units, int places) {
  std::string text;
  append_decimal(units, places, text);
  return text;
}

TEST(WriteText, ADecimalHasNoTrailingZeros) {
  EXPECT_EQ(decimal(345, 4), "0.0345");
  EXPECT_EQ(decimal(-345, 4), "-0.0345");
  EXPECT_EQ(decimal(12300, 4), "1.23");
  EXPECT_EQ(decimal(-20000, 4), "-2");
  EXPECT_EQ(decimal(0, 4), "0");
  EXPECT_EQ(decimal(7, 0), "7");
  EXPECT_EQ(decimal(1, kMostPlaces), "0.000000000000000001");
}

TEST(WriteText, TheExtremesAreWrittenInFull) {
  EXPECT_EQ(decimal(std::numeric_limits<std::int64_t>::min(), 0), "-9223372036854775808");
  EXPECT_EQ(decimal(std::numeric_limits<std::int64_t>::max(), kMostPlaces), "9.223372036854775807");
}

TEST(WriteText, ADecimalReadsBackAsTheCorrectlyRoundedQuotient) {
  EXPECT_TRUE(rc::check([] {
    // Below 2⁵³ and 10²² both operands are exact, so the quotient is the correctly rounded value of the decimal.
    const auto units = *rc::gen::inRange<std::int64_t>(-(std::int64_t{1} << 53), std::int64_t{1} << 53);
    const int places = *rc::gen::inRange(0, kMostPlaces + 1);
    const double expected = static_cast<double>(units) / static_cast<double>(power_of_ten(places));
    RC_ASSERT(std::strtod(decimal(units, places).c_str(), nullptr) == expected);
  }));
}

TEST(WriteText, SvmlightCountsColumnsFromOneAndWritesEveryEntry) {
  const DecimalRow row{.label = -1, .column = {0, 4, 4294967294}, .units = {5, 0, -12}};
  std::string text;
  append_svmlight(row, 1, text);
  EXPECT_EQ(text, "-1 1:0.5 5:0 4294967295:-1.2\n");
}

TEST(WriteText, ARowWithoutEntriesIsItsLabel) {
  std::string text;
  append_svmlight(DecimalRow{}, 3, text);
  EXPECT_EQ(text, "1\n");
}

TEST(WriteText, CsvFillsInZerosAndEndsWithTheLabel) {
  const DecimalRow row{.label = 1, .column = {1, 3}, .units = {25, -10}};
  std::string text = csv_header(5);
  append_csv(row, 1, 5, text);
  EXPECT_EQ(text, "x1,x2,x3,x4,x5,label\n0,2.5,0,-1,0,1\n");
}

}  // namespace
}  // namespace linsep

#include "format/svmlight/strict.h"

#include <gtest/gtest.h>

#include "format/svmlight/svmlight.h"
#include "format/text/test_input.h"

namespace linsep {
namespace {

using test::PlainRows;

struct Case {
  const char* text;
  const char* error;  ///< "line:column: message"
};

/// Every version must give the same error at the same position.
class SvmlightErrors : public ::testing::TestWithParam<Case> {};

TEST_P(SvmlightErrors, SayWhereAndWhat) {
  for (const std::string_view version : svmlight_versions()) {
    use_svmlight_version(version);
    const auto got = test::parsed(svmlight_format("", {}, 1 << 20), GetParam().text);
    ASSERT_TRUE(std::holds_alternative<std::string>(got)) << version << " accepts " << GetParam().text;
    EXPECT_EQ(std::get<std::string>(got), GetParam().error) << version;
  }
  use_svmlight_version("");
}

INSTANTIATE_TEST_SUITE_P(
    Table, SvmlightErrors,
    ::testing::Values(
        Case{"1:2 3:4\n", "1:1: expected a label, found '1:2'"},
        Case{"1 1:2\n:3 1:4\n", "2:1: expected a label, found ':3'"},
        Case{"1\x01 1:2\n", "1:2: expected a label of visible characters, found '\\x01'"},
        Case{"1e999 1:2\n", "1:1: expected a label no larger than 1.8e308, found '1e999'"},
        Case{"1 0:2\n", "1:3: expected an index of at least 1, found '0:2'"},
        Case{"1 1:2 000:2\n", "1:7: expected an index of at least 1, found '000:2'"},
        Case{"1 3:1 3:2\n", "1:7: expected an index above 3, found '3:2'"},
        Case{"1 3:1 2:2\n", "1:7: expected an index above 3, found '2:2'"},
        Case{"1 1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1 8:1\n", "1:35: expected an index above 8, found '8:1'"},
        Case{"1 4294967296:1\n", "1:3: expected an index of at most 4294967295, found '4294967296:1'"},
        Case{"1 99999999999999999999999:1\n",
             "1:3: expected an index of at most 4294967295, found '99999999999999999999999:…'"},
        Case{"1 4294967295:1 5:1\n", "1:16: expected an index above 4294967295, found '5:1'"},
        Case{"1 2147483648:1 5:1\n", "1:16: expected an index above 2147483648, found '5:1'"},
        Case{"1 1:1 2:1 3:1 2147483648:1 5:1 6:1 7:1 8:1\n", "1:28: expected an index above 2147483648, found '5:1'"},
        Case{"1 1:1 2:1 3:1 4:1 5:1 6:1 7:1 4294967295:1 9:1\n",
             "1:44: expected an index above 4294967295, found '9:1'"},
        Case{"1 1:2 7\n", "1:8: expected ':' after the index 7, found the end of the line"},
        Case{"1 7 1:2\n", "1:4: expected ':' after the index 7, found a blank"},
        Case{"1 7;2\n", "1:4: expected ':' after the index 7, found ';2'"},
        Case{"1 -1:2\n", "1:3: expected an index, found '-1:2'"},
        Case{"1 +1:2\n", "1:3: expected an index, found '+1:2'"},
        Case{"1 a:2\n", "1:3: expected an index, found 'a:2'"}, Case{"1 :2\n", "1:3: expected an index, found ':2'"},
        Case{"1 1:\n", "1:5: expected a number, found the end of the line"},
        Case{"1 1: 2\n", "1:5: expected a number, found a blank"},
        Case{"1 1:2:3\n", "1:6: expected a blank after the value, found ':3'"},
        Case{"1 2:3:4 5\n", "1:6: expected a blank after the value, found ':4'"},
        Case{"1 2:3:4:5 6 7\n", "1:6: expected a blank after the value, found ':4:5'"},
        Case{"1 1:2 2::3\n", "1:9: expected a number, found ':3'"},
        Case{"1 1:x\n", "1:5: expected a number, found 'x'"}, Case{"1 1:--2\n", "1:5: expected a number, found '--2'"},
        Case{"1 1:.\n", "1:5: expected a number, found '.'"},
        Case{"1 1:1.2.3\n", "1:8: expected a blank after the value, found '.3'"},
        Case{"1 1:1,5\n", "1:6: expected a blank after the value, found ',5'"},
        Case{"1 1:0x1p3\n", "1:6: expected a blank after the value, found 'x1p3'"},
        Case{"1 1:2e 2:1\n", "1:7: expected the digits of an exponent, found a blank"},
        Case{"1 1:2e+\n", "1:8: expected the digits of an exponent, found the end of the line"},
        Case{"1 1:nan\n", "1:5: expected a finite number, found 'nan'"},
        Case{"1 1:-Inf 2:1\n", "1:5: expected a finite number, found '-Inf'"},
        Case{"1 1:infinity\n", "1:5: expected a finite number, found 'infinity'"},
        Case{"1 1:1e39\n",
             "1:5: expected a number within the range of a float (or ask for double values), found '1e39'"},
        Case{"1 1:2 qid:3 2:1\n", "1:7: expected an index, found 'qid:3'"},
        Case{"1 qid:x 1:2\n", "1:7: expected the digits of a query number, found 'x'"},
        Case{"1 qid:3x 1:2\n", "1:8: expected a blank after the query number, found 'x'"},
        Case{"1 1:2\r3:4\n", "1:6: expected a blank after the value, found '\\x0d3:4'"},
        Case{"1 1:2\v2:4\n", "1:6: expected a blank after the value, found '\\x0b2:4'"},
        Case{"1 1:2\r\r\n", "1:6: expected a blank after the value, found '\\x0d'"},
        Case{"1 1:\xc3\xa4\n", "1:5: expected a number, found '\\xc3\\xa4'"},
        Case{"# c\n\n1 1:2\n\t\n1 1:2 # 3:4\n1 x\n", "6:3: expected an index, found 'x'"},
        Case{"1 1:2\n1 1:2 x", "2:7: expected an index, found 'x'"}));

PlainRows read(std::string_view text, const ReadOptions& options = {}) {
  const auto got = test::parsed(svmlight_format("", options, 1 << 20), text);
  if (const auto* error = std::get_if<std::string>(&got)) {
    ADD_FAILURE() << *error;
    return {};
  }
  return std::get<PlainRows>(got);
}

TEST(Svmlight, BlankAndCommentLinesAreNoRows) {
  EXPECT_EQ(read("\n  \n\t\n# a comment: 1:2\n   # another\n\r\n"), PlainRows{});
  EXPECT_EQ(read("\n1 2:3\n\n# c\n-1 1:1\n"), read("1 2:3\n-1 1:1\n"));
}

TEST(Svmlight, BlanksTabsReturnsCommentsAndQueriesChangeNothing) {
  const PlainRows plain = read("1 2:3 7:0.5\n-1\n");
  EXPECT_EQ(read("1\t2:3\t7:0.5\r\n-1\r\n"), plain);
  EXPECT_EQ(read("  1   2:3 \t 7:0.5  \n -1 \n"), plain);
  EXPECT_EQ(read("1 qid:12345678901234567890 2:3 7:0.5 # qid:1 9:9\n-1#\n"), plain);
  EXPECT_EQ(read("+1 002:3.0 07:.5e0\n-1.0"), plain);
}

TEST(Svmlight, IndicesAreStoredLessOneUpToTheGreatest) {
  const PlainRows rows = read("1 1:1 4294967294:2 4294967295:3\n");
  EXPECT_EQ(rows.at(0).column, (std::vector<std::uint32_t>{0, 4294967293, 4294967294}));
}

TEST(Svmlight, ZerosThatAreWrittenAreKeptAndMinusZeroIsMinusZero) {
  const PlainRows rows = read("1 1:0 2:-0\n");
  EXPECT_EQ(rows.at(0).value, (std::vector<std::uint64_t>{0, std::uint64_t{1} << 63}));
}

TEST(Svmlight, OneWordMakesEveryLabelOfAPageAWord) {
  const PlainRows rows = read("+1 1:2\n-0.50 1:2\nspam 1:2\n1.0 1:2\n");
  EXPECT_EQ(rows.at(0).word, "1");
  EXPECT_EQ(rows.at(1).word, "-0.5");
  EXPECT_EQ(rows.at(2).word, "spam");
  EXPECT_EQ(rows.at(3).word, "1");
}

TEST(Svmlight, WithoutLabelsTheyAreReadPastOrMayBeMissing) {
  ReadOptions options;
  options.labelled = false;
  EXPECT_EQ(read("1:2 3:4\nspam 1:2 3:4\n1e999 1:2 3:4\n", options), read("0 1:2 3:4\n0 1:2 3:4\n0 1:2 3:4\n"));
}

TEST(Svmlight, ARegressionWantsNumbersAsLabels) {
  ReadOptions options;
  options.regression = true;
  const auto got = test::parsed(svmlight_format("", options, 1 << 20), "0.5 1:2\nspam 1:2\n");
  EXPECT_EQ(std::get<std::string>(got), "2:1: expected a number as label, found 'spam'");
}

TEST(Svmlight, DoubleValuesReachFurther) {
  ReadOptions options;
  options.double_values = true;
  EXPECT_EQ(read("1 1:1e39\n", options).at(0).value.at(0), std::bit_cast<std::uint64_t>(1e39));
  const auto got = test::parsed(svmlight_format("", options, 1 << 20), "1 1:1e309\n");
  EXPECT_EQ(std::get<std::string>(got), "1:5: expected a number within the range of a double, found '1e309'");
}

TEST(Svmlight, ExactValuesAreNeverTooSmallForTheirType) {
  ReadOptions options;
  options.double_values = true;
  EXPECT_EQ(read("1 1:-1e-400\n", options).at(0).value.at(0), std::bit_cast<std::uint64_t>(-0.0));
  options.exact_values = true;
  const TextFormat format = svmlight_format("", options, 1 << 20);
  EXPECT_EQ(std::get<std::string>(test::parsed(format, "1 1:1\n1 1:1 2:-1e-400\n")),
            "2:9: '-1e-400' is too small for a double: a proof needs numbers of at least 2.3e-308 in size, or 0; "
            "multiply the column by a power of ten");
  // In the middle of a group, as a subnormal, as a label.
  for (const char* row : {"1 1:1 2:2 3:5e-324 4:4 5:5 6:6 7:7 8:8 9:9", "1 1:2.2250738585072011e-308", "1e-400 1:1"}) {
    const auto got = test::parsed(format, std::string(row) + "\n");
    ASSERT_TRUE(std::holds_alternative<std::string>(got)) << row;
    EXPECT_NE(std::get<std::string>(got).find("is too small for a double"), std::string::npos) << row;
  }
  const char* fine = "0e-400 1:0e-400 2:0.0e-9999 3:-2.2250738585072014e-308 4:-0\n";
  EXPECT_EQ(read(fine, options).at(0).value.at(2), std::bit_cast<std::uint64_t>(-0x1p-1022));
}

TEST(Svmlight, TheFirstValueThatIsTooSmallIsNoted) {
  ReadOptions options;
  const auto tiny = [&](const std::string& rows) {
    const std::string text = std::string(64, '\n') + rows + std::string(64, '\n');
    const Chunk chunk{std::string_view(text).substr(64, rows.size()), 0};
    const TinyValues got = svmlight_format("", options, 1 << 20).parse(chunk).tiny;
    return std::pair(got.row, got.column);
  };
  const std::string rows = "1 1:1 2:1e-40\n\n-1 1:1 7:1e-60\n1 1:1e-60\n1 1:1 3:1e-310\n";
  EXPECT_EQ(tiny(rows), std::pair(std::int64_t{1}, 6U));
  options.double_values = true;
  EXPECT_EQ(tiny(rows), std::pair(std::int64_t{3}, 2U));
  EXPECT_EQ(tiny("1 1:1 2:0e-400\n").first, -1);
}

TEST(Svmlight, AByteOrderMarkIsSkipped) {
  EXPECT_EQ(svmlight_format("\xef\xbb\xbf"
                            "1 1:2\n",
                            {}, 1 << 20)
                .header_bytes,
            3U);
}

TEST(Svmlight, WrittenRowsAreTheTextItself) {
  const TextFormat format = svmlight_format("", {}, 1 << 20);
  const std::string text = std::string(64, ' ') + "# c\n+1 1:1.50 3:-2e-1 # d\n\nspam 2:+.5\n0" + std::string(64, '\n');
  const auto rows = format.written({std::string_view(text).substr(64, text.size() - 128), 0}, {0, 1, 2});
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].label, "+1");
  ASSERT_EQ(rows[0].values.size(), 2U);
  EXPECT_EQ(rows[0].values[0].decimal, "1.50");
  EXPECT_EQ(rows[0].values[1].column, 2U);
  EXPECT_EQ(rows[0].values[1].decimal, "-2e-1");
  EXPECT_EQ(rows[1].label, "spam");
  EXPECT_EQ(rows[1].values[0].decimal, "+.5");
  EXPECT_EQ(rows[2].label, "0");
  EXPECT_TRUE(rows[2].values.empty());
}

}  // namespace
}  // namespace linsep

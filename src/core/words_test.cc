#include "linsep/tools/shown_text.h"

#include <gtest/gtest.h>

#include <string>

#include "linsep/error.h"
#include "linsep/tools/fields.h"

namespace linsep {
namespace {

TEST(ShownText, OrdinaryTextStaysAsItIs) {
  for (const char* text : {"", "age", "two words", "é", "漢字", "θ·x − 1", "a\\b", "{}", "%s", "👍", "עברית"}) {
    EXPECT_EQ(shown_text(text), text);
  }
}

TEST(ShownText, WhatATerminalWouldObeyIsEscaped) {
  EXPECT_EQ(shown_text("\x1b[31mred\x1b[0m"), "\\x1b[31mred\\x1b[0m");
  EXPECT_EQ(shown_text("a\r\nb\tc"), "a\\x0d\\nb\\x09c");
  EXPECT_EQ(shown_text(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(shown_text("\x7f"), "\\x7f");
  EXPECT_EQ(shown_text("\u009b"
                       "31m"),
            "\\u009b31m");  // the one-character form of ESC [
}

TEST(ShownText, MarksOfDirectionAndOtherInvisibleOnesAreEscaped) {
  EXPECT_EQ(shown_text("\u202Exe.txt"), "\\u202exe.txt");
  for (const char* mark : {"\u202A", "\u202B", "\u202C", "\u202D", "\u202E", "\u2066", "\u2067", "\u2068", "\u2069",
                           "\u200E", "\u200F", "\u061C", "\u2028", "\u2029", "\u200B", "\uFEFF"}) {
    EXPECT_EQ(shown_text(mark).substr(0, 2), "\\u");
  }
}

TEST(ShownText, BytesThatAreNotUtf8AreEscapedOneByOne) {
  EXPECT_EQ(shown_text("a\xff"
                       "b"),
            "a\\xffb");
  EXPECT_EQ(shown_text("\xc3"), "\\xc3");                    // cut off
  EXPECT_EQ(shown_text("\xc0\xaf"), "\\xc0\\xaf");           // longer than needed
  EXPECT_EQ(shown_text("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a surrogate pair
  EXPECT_EQ(shown_text("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(shown_text("\xe2\x28\xa1"), "\\xe2(\\xa1");
}

TEST(ShownText, NothingIsLongerThanAScreen) {
  EXPECT_EQ(shown_text(std::string(2000, 'a')), std::string(2000, 'a'));
  for (const std::string& part :
       {std::string("a"), std::string("\0", 1), std::string("ä"), std::string("\xf0\x9f\x90\x9f")}) {
    std::string text = "begin";
    for (int k = 0; k < 262144; ++k) text += part;
    const std::string shown = shown_text(text + "end");
    EXPECT_LE(shown.size(), 2000U);
    EXPECT_EQ(shown_text(shown), shown) << "it is cut between code points";
    EXPECT_TRUE(shown.starts_with("begin") && shown.ends_with("end"));
    EXPECT_LE(input_error(text + "end").sentence().size(), 2000U);
  }
}

TEST(ShownText, OfSeveralLinesTheNewlinesStay) { EXPECT_EQ(shown_lines("a\nb\x1b\n"), "a\nb\\x1b\n"); }

TEST(CsvField, IsInQuotesIfAReaderWouldTakeItForSomethingElse) {
  for (const char* plain : {"", "age", "two words", "a;b", "a'b"}) EXPECT_EQ(csv_field(plain, ','), plain);
  for (const char* other : {"a,b", " a", "a ", "\ta", "a\nb", "a\rb"}) {
    EXPECT_EQ(csv_field(other, ','), "\"" + std::string(other) + "\"");
  }
  EXPECT_EQ(csv_field("a\"b", ','), "\"a\"\"b\"");
  EXPECT_EQ(csv_field("a,b", '\t'), "a,b");
}

}  // namespace
}  // namespace linsep

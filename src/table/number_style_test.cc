#include "table/number_style.h"

#include <gtest/gtest.h>

namespace linsep {
namespace {

std::string plain(std::string_view style, std::string_view field) {
  return plain_decimal(field, style_of(style).value()).value_or("none");
}

TEST(NumberStyle, IsToldByHowItWritesANumber) {
  for (const char* text : {"1234.5", "1234,5", "1,234.5", "1.234,5", "1 234,5", "1'234.5", "1234.5%", "$1,234.5",
                           "1.234,5€", "true/false"}) {
    ASSERT_TRUE(style_of(text)) << text;
    EXPECT_EQ(style_text(*style_of(text)), text);
  }
  for (const char* text : {"", "1234", "1,234,5", "12345", "x1234.5", "1;234.5", "1234.5%%"})
    EXPECT_FALSE(style_of(text)) << text;
}

TEST(NumberStyle, FieldsBecomePlainDecimals) {
  EXPECT_EQ(plain("1,234.5", "-1,234,567.25"), "-1234567.25");
  EXPECT_EQ(plain("1,234.5", "12"), "12");
  EXPECT_EQ(plain("1,234.5", "1e5"), "1e5");
  EXPECT_EQ(plain("1.234,5", "1.234,5"), "1234.5");
  EXPECT_EQ(plain("1 234,5", "1\u202f234\u00a0567,5"), "1234567.5");
  EXPECT_EQ(plain("1234.5%", "12.5 %"), "12.5");
  EXPECT_EQ(plain("$1,234.5", "-$1,234.50"), "-1234.50");
  EXPECT_EQ(plain("$1,234.5", "$-12"), "-12");
  EXPECT_EQ(plain("1.234,5€", "12\u00a0€"), "12");
}

TEST(NumberStyle, BooleansAreOneAndZero) {
  for (const char* field : {"true", "True", "TRUE", "1"}) EXPECT_EQ(plain("true/false", field), "1") << field;
  for (const char* field : {"false", "False", "FALSE", "0"}) EXPECT_EQ(plain("true/false", field), "0") << field;
  for (const char* field : {"tRUE", "yes", "t", "true "}) EXPECT_EQ(plain("true/false", field), "none") << field;
  EXPECT_EQ(plain("1,234.5", "true"), "none");
  EXPECT_FALSE(style_of("true/false")->is_plain());
}

TEST(NumberStyle, WhatIsWrittenOtherwiseIsNone) {
  for (const char* field :
       {"1,23", "12,34.5", "1234,567", "0,123", ",123", "1,234,", "1,234.5.6", "1,234e5", "x", "1.2,3"}) {
    EXPECT_EQ(plain("1,234.5", field), "none") << field;
  }
  for (const char* field : {"1.5", "1,5.0", "1,5x"}) EXPECT_EQ(plain("1234,5", field), "none") << field;
  for (const char* field : {"12", "-$-12", "12$", "$1e5"}) EXPECT_EQ(plain("$1,234.5", field), "none") << field;
}

}  // namespace
}  // namespace linsep

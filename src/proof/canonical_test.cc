#include "proof/canonical.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>

#include "exact/number.h"
#include "proof/exact_text.h"
#include "proof/test_source.h"

namespace linsep {
namespace {

std::string canonical(std::string_view text) {
  std::string out;
  return append_canonical(text, out) ? out : "not a number";
}
std::string canonical(double value) {
  std::string out;
  return append_canonical(value, out) ? out : "not a number";
}

TEST(Canonical, OneTextForOneValue) {
  for (const char* text :
       {"1.5", "1.50", "15e-1", "+1.5", "01.5", ".15e1", "0.15E+1", "1500e-3", "15.e-01", "0.00015e4"}) {
    EXPECT_EQ(canonical(text), "1.5") << text;
  }
  for (const char* text : {"0", "-0", "+0.000", "0e17", ".0", "00"}) EXPECT_EQ(canonical(text), "0") << text;
  EXPECT_EQ(canonical("-.5"), "-0.5");
  EXPECT_EQ(canonical("1e3"), "1000");
  EXPECT_EQ(canonical("1e-3"), "0.001");
  EXPECT_EQ(canonical("100"), "100");
  EXPECT_EQ(canonical("1e-9999").size(), 10001U);
}

TEST(Canonical, WhatIsNotADecimalHasNoText) {
  for (const char* text : {"", "-", "+", ".", "e1", "1e", "1e+", "1.2.3", "0x10", "nan", "inf", " 1", "1 ", "1,5",
                           "--1", "1e99999", "1e-10000", "1_0"}) {
    EXPECT_EQ(canonical(text), "not a number") << text;
  }
}

TEST(Canonical, ABinaryNumberIsItsDyadicValue) {
  EXPECT_EQ(canonical(0.5), "0.5");
  EXPECT_EQ(canonical(-3.0), "-3");
  EXPECT_EQ(canonical(-0.0), "0");
  EXPECT_EQ(canonical(0.1), "0.1000000000000000055511151231257827021181583404541015625");
  EXPECT_EQ(canonical(0x1p70), "1180591620717411303424");
  EXPECT_EQ(canonical(std::nan("")), "not a number");
  EXPECT_EQ(canonical(INFINITY), "not a number");
  EXPECT_EQ(decimal_value(canonical(5e-324)), Rational(5e-324));
  EXPECT_EQ(decimal_value(canonical(1.7976931348623157e308)), Rational(1.7976931348623157e308));
}

RC_GTEST_PROP(Canonical, EveryDoubleKeepsItsValue, (std::uint64_t bits)) {
  const double value = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(value));
  const std::string text = canonical(value);
  RC_ASSERT(canonical(std::string_view(text)) == text);
  if (value != 0) RC_ASSERT(decimal_value(text) == Rational(value));
}

std::string any_canonical(double value) {
  std::string text;
  return append_any_canonical(value, text) ? text : "not a number";
}

TEST(Canonical, TheShortCutWritesWhatAnyNumberOfBitsWould) {
  for (int exponent = -1074; exponent < 1024; ++exponent) {
    for (const double mantissa : {1.0, 1.5, -1.0 - 0x1p-23, 1.0 + 0x1p-52, 2.0 - 0x1p-52}) {
      const double value = std::ldexp(mantissa, exponent);
      ASSERT_EQ(canonical(value), any_canonical(value)) << value;
    }
  }
}

RC_GTEST_PROP(Canonical, TheShortCutWritesTheSameForEveryFloat, (std::uint32_t bits)) {
  const double value = std::bit_cast<float>(bits);
  RC_ASSERT(canonical(value) == any_canonical(value));
}

RC_GTEST_PROP(Canonical, TheShortCutWritesTheSameForNumbersOfManySizes, (std::int64_t mantissa)) {
  const int exponent = *rc::gen::inRange(-80, 80);
  const double value = std::ldexp(static_cast<double>(mantissa), exponent);
  RC_ASSERT(canonical(value) == any_canonical(value));
}

TEST(Canonical, LabelsThatAreNumbersAreComparedAsNumbers) {
  const LabelSigns numbers("0", "1");
  EXPECT_EQ(numbers.mark("+1.0"), "+1");
  EXPECT_EQ(numbers.mark("0e5"), "-1");
  EXPECT_EQ(numbers.mark("2"), "");
  EXPECT_EQ(numbers.mark("one"), "");
  const LabelSigns words("ham", "spam");
  EXPECT_EQ(words.mark("spam"), "+1");
  EXPECT_EQ(words.mark("ham"), "-1");
  EXPECT_EQ(words.mark("Spam"), "");
  EXPECT_FALSE(LabelSigns("1", "1.0").distinct());
}

std::string leaf_of(const WrittenRow& row) {
  std::string leaf;
  write_leaf(row, LabelSigns("-1", "1"), leaf);
  return leaf;
}

TEST(Leaf, ZerosAreLeftOutAndFeaturesAscend) {
  EXPECT_EQ(leaf_of({16, "+1", "", {{2, "-2.0", 0}, {0, "0.50", 0}, {1, "0.0", 0}}}), "17 +1 1:0.5 3:-2");
  EXPECT_EQ(leaf_of({0, "-1", "", {{0, "", 0.25}, {4, "", 0}}}), "1 -1 1:0.25");
  EXPECT_EQ(leaf_of({0, "-1", "", {}}), "1 -1");
}

TEST(Leaf, ARowThatHasNoneIsNamed) {
  EXPECT_THROW(leaf_of({0, "2", "", {}}), BadRow);
  EXPECT_THROW(leaf_of({0, "1", "", {{0, "x", 0}}}), BadRow);
  EXPECT_THROW(leaf_of({0, "1", "", {{1, "1", 0}, {0, "1", 0}, {1, "2", 0}}}), BadRow);
}

TEST(Leaf, OnlyTheCanonicalTextIsRead) {
  Leaf leaf;
  ASSERT_TRUE(parse_leaf("17 +1 1:0.5 3:-2", leaf));
  EXPECT_EQ(leaf.row, 16);
  EXPECT_EQ(leaf.sign, 1);
  ASSERT_EQ(leaf.entries.size(), 2U);
  EXPECT_EQ(leaf.entries[1].column, 2U);
  EXPECT_EQ(leaf.entries[1].value, "-2");
  EXPECT_TRUE(parse_leaf("1 -1 1:" + std::string(100'000, '7'), leaf));
  EXPECT_FALSE(parse_leaf("1 -1 1:" + std::string(100'001, '7'), leaf));
  EXPECT_TRUE(parse_leaf("1 -1", leaf));
  EXPECT_EQ(leaf.class_number, 0U);
  ASSERT_TRUE(parse_leaf("2 13 1:5", leaf));
  EXPECT_EQ(leaf.sign, 0);
  EXPECT_EQ(leaf.class_number, 13U);
  for (const char* text : {"",           "1",         "1 ",       "1 01",         "0 +1",         "-1 +1",
                           "01 +1",      "1 +1 ",     "1 +1 1",   "1 +1 1:",      "1 +1 1:0",     "1 +1 1:1.0",
                           "1 +1 1:01",  "1 +1 1:+1", "1 +1 0:1", "1 +1 2:1 1:1", "1 +1 1:1 1:1", "1 +1  1:1",
                           "1 +1 1:1e1", "1 +1 1:.5", "1 +2",     "1 +1x",        "1 +1 1:1 ",    "1 +1 4294967296:1",
                           "1 +1 1:-0"}) {
    EXPECT_FALSE(parse_leaf(text, leaf)) << text;
  }
}

TEST(Leaf, OfSeveralLabels) {
  Leaf leaf;
  const auto labels = [&](const char* text) {
    return parse_leaf(text, leaf, true) && leaf.sign == 0 && leaf.class_number == 0 ? std::string(leaf.labels)
                                                                                    : "refused";
  };
  EXPECT_EQ(labels("7 +-?*0.5 2:1"), "+-?");
  EXPECT_EQ(leaf.weight, "0.5");
  EXPECT_EQ(leaf.entries.size(), 1U);
  EXPECT_EQ(labels("7 ?"), "?");
  EXPECT_EQ(labels("7 - 2:1"), "-");
  for (const char* bad : {"7 +1", "7 3", "7 +-1", "7 +-x 2:1", "7 +2", "7 +- 2", "7 +-1 2:1", "7  +-"}) {
    EXPECT_EQ(labels(bad), "refused") << bad;
  }
  EXPECT_FALSE(parse_leaf("7 +- 2:1", leaf)) << "only proofs about models have them";

  LabelColumnsSource source({{"+-", {}}, {"?+", {{1, "2"}}}}, 1, {"u", "v"});
  const LabelSigns signs = LabelSigns::of(source);
  std::string text;
  write_leaf({1, "", "", {{0, "2"}}}, signs, text, true);
  EXPECT_EQ(text, "2 ?+ 1:2");
}

TEST(Canonical, ALeafMayHaveAWeight) {
  const LabelSigns labels("a", "b");
  const auto leaf = [&](const std::string& weight, bool weights) {
    WrittenRow row;
    row.label = "b";
    row.values = {{1, "2.50"}};
    row.weight.decimal = weight;
    std::string text;
    write_leaf(row, labels, text, weights);
    return text;
  };
  EXPECT_EQ(leaf("0.50", true), "1 +1*0.5 2:2.5");
  EXPECT_EQ(leaf("0.50", false), "1 +1 2:2.5");
  EXPECT_EQ(leaf("1.0", true), "1 +1 2:2.5");
  EXPECT_EQ(leaf("-0", true), "1 +1*0 2:2.5");
  EXPECT_THROW(leaf("-0.5", true), BadRow);
  EXPECT_THROW(leaf("many", true), BadRow);
  Leaf read;
  const auto weight = [&](const std::string& text) {
    return parse_leaf(text, read, true) ? std::string(read.weight) : "refused";
  };
  EXPECT_EQ(weight("1 +1*0.5 2:2.5"), "0.5");
  EXPECT_EQ(read.entries.size(), 1U);
  EXPECT_EQ(weight("1 -1*0"), "0");
  EXPECT_EQ(weight("1 -1*10 1:1 #0123456789abcdef0123456789abcdef"), "10");
  EXPECT_EQ(weight("1 -1*0 #0123456789abcdef0123456789abcdef"), "0");
  EXPECT_EQ(weight("1 3*2.25"), "2.25");
  EXPECT_EQ(weight("1 +1 2:2.5"), "");
  for (const char* bad : {"1 +1*1", "1 +1*-2", "1 +1*", "1 +1* 2:1", "1 +1*0.50", "1 +1*00", "1 +1*01", "1 +1*1.0 1:1",
                          "1 +1*2*2", "1 +1*2:1", "1*2 +1"}) {
    EXPECT_EQ(weight(bad), "refused") << bad;
  }
  EXPECT_FALSE(parse_leaf("1 +1*0.5 2:2.5", read));
}

}  // namespace
}  // namespace linsep

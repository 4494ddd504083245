#include "bytes/number.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/random.h"

namespace linsep {
namespace {

/// The C library's conversions also round correctly, by other means.
void expect_like_c(const std::string& text) {
  float is_float = -1;
  double wide = -1;
  const bool single_fits = parse_whole_number(text.data(), text.data() + text.size(), is_float);
  const bool wide_fits = parse_whole_number(text.data(), text.data() + text.size(), wide);
  const float c_single = std::strtof(text.c_str(), nullptr);
  const double c_wide = std::strtod(text.c_str(), nullptr);
  EXPECT_EQ(single_fits, std::isfinite(c_single)) << text;
  EXPECT_EQ(wide_fits, std::isfinite(c_wide)) << text;
  if (single_fits) {
    EXPECT_EQ(std::bit_cast<std::uint32_t>(is_float), std::bit_cast<std::uint32_t>(c_single)) << text;
  }
  if (wide_fits) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(wide), std::bit_cast<std::uint64_t>(c_wide)) << text;
  }
}

TEST(Number, NamedCasesAreTheNearestFloatAndDouble) {
  for (const char* text : {"0",
                           "-0",
                           "+0.0",
                           "1",
                           "-1",
                           "+1",
                           "0.1",
                           "5.",
                           ".5",
                           "-.5",
                           "007",
                           "1e3",
                           "1E+3",
                           "1e-3",
                           "0e999",
                           "1e-999",
                           "16777217",
                           "16777219",
                           "33554433.0000000001",
                           "1.00000005960464477539062500",
                           "1.00000005960464477539062501",
                           "0.99999997019767761230468750",
                           "1.4e-45",
                           "0.7e-45",
                           "0.70064923216240853546e-45",
                           "1.1754943e-38",
                           "1.17549435e-38",
                           "1.1754942807573643e-38",
                           "3.4028234e38",
                           "3.4028235e38",
                           "3.4028235677973366e38",
                           "1e39",
                           "4.9e-324",
                           "2.4703282292062327e-324",
                           "2.2250738585072014e-308",
                           "1.7976931348623157e308",
                           "1.7976931348623159e308",
                           "9007199254740993",
                           "9007199254740992.5",
                           "123456789012345678901234567890",
                           "0.000000000000000000000000000000000000000000001",
                           "340282346638528859811704183484516925440",
                           "340282356779733661637539395458142568448",
                           "179769313486231570814527423731704356798070e267"}) {
    expect_like_c(text);
  }
}

TEST(Number, DrawnDecimalsAreTheNearestFloatAndDouble) {
  Random random(20);
  for (int i = 0; i < 20000; ++i) {
    std::string text = random.below(3) == 0 ? "-" : "";
    const std::uint64_t whole = random.below(9);
    for (std::uint64_t k = 0; k < whole; ++k) text += static_cast<char>('0' + random.below(10));
    const std::uint64_t fraction = random.below(random.below(8) == 0 ? 40 : 12) + (whole == 0 ? 1 : 0);
    if (fraction > 0) text += '.';
    for (std::uint64_t k = 0; k < fraction; ++k) text += static_cast<char>('0' + random.below(10));
    if (random.below(4) == 0) text.append("e").append(std::to_string(static_cast<int>(random.below(100)) - 50));
    expect_like_c(text);
  }
}

/// Half way between two neighboring floats, and a little off to both sides: the inputs that rounding twice gets wrong.
TEST(Number, TiesBetweenFloatsGoToTheEvenOne) {
  Random random(21);
  for (int i = 0; i < 2000; ++i) {
    const double low = std::bit_cast<float>(static_cast<std::uint32_t>(random.below(0x7f000000)));
    const double high = std::nextafter(static_cast<float>(low), INFINITY);
    char tie[400];
    std::snprintf(tie, sizeof(tie), "%.*f", 200, low + (high - low) / 2);
    expect_like_c(tie);
    expect_like_c(std::string(tie) + "1");
    std::snprintf(tie, sizeof(tie), "%.17g", low + (high - low) / 2);
    expect_like_c(tie);
  }
}

TEST(Number, FaultsAndWhereTheyAre) {
  const auto fault = [](const std::string& text) {
    float value = 0;
    const NumberEnd got = parse_number(text.data(), text.data() + text.size(), value);
    return std::pair(got.fault, got.end - text.data());
  };
  EXPECT_EQ(fault(""), std::pair(NumberFault::kNoDigits, std::ptrdiff_t{0}));
  EXPECT_EQ(fault("-"), std::pair(NumberFault::kNoDigits, std::ptrdiff_t{0}));
  EXPECT_EQ(fault("."), std::pair(NumberFault::kNoDigits, std::ptrdiff_t{0}));
  EXPECT_EQ(fault("nan"), std::pair(NumberFault::kNoDigits, std::ptrdiff_t{0}));
  EXPECT_EQ(fault("1e"), std::pair(NumberFault::kNoExponent, std::ptrdiff_t{2}));
  EXPECT_EQ(fault("1e+x"), std::pair(NumberFault::kNoExponent, std::ptrdiff_t{3}));
  EXPECT_EQ(fault("1e39"), std::pair(NumberFault::kTooLarge, std::ptrdiff_t{0}));
  EXPECT_EQ(fault("1.5x"), std::pair(NumberFault::kNone, std::ptrdiff_t{3}));
  EXPECT_EQ(fault("0x10"), std::pair(NumberFault::kNone, std::ptrdiff_t{1}));
}

TEST(Number, WhatIsTooSmallForItsTypeIsTold) {
  const auto tiny = [](const std::string& text) {
    float narrow = 0;
    double wide = 0;
    return std::pair(parse_number(text.data(), text.data() + text.size(), narrow).tiny,
                     parse_number(text.data(), text.data() + text.size(), wide).tiny);
  };
  for (const char* text : {"1e-400", "-1e-999999999999", "4.9e-324", "-2.2250738585072011e-308", "0.01e-310",
                           "1844674407370955161600000e-400"}) {  // a multiple of 2^64
    EXPECT_EQ(tiny(text), std::pair(true, true)) << text;
  }
  for (const char* text : {"1e-60", "2.2250738585072014e-308", "0.7e-45"}) {
    EXPECT_EQ(tiny(text), std::pair(true, false)) << text;
  }
  for (const char* text : {"0", "-0", "0e-400", "0.000e-9999", "00000000000000000000000000", "1e-40", "1", "0e5"}) {
    EXPECT_EQ(tiny(text), std::pair(false, false)) << text;
  }
}

}  // namespace
}  // namespace linsep

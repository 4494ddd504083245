// Compares every version of the svmlight parser with the strict one, on drawn texts.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/random.h"
#include "format/svmlight/svmlight.h"
#include "format/text/drawn_text.h"
#include "format/text/test_input.h"

namespace linsep {
namespace {

void expect_versions_agree(const std::string& text, const ReadOptions& options) {
  use_svmlight_version("scalar");
  const auto strict = test::parsed(svmlight_format("", options, 1 << 20), text);
  for (const std::string_view version : svmlight_versions()) {
    use_svmlight_version(version);
    EXPECT_EQ(test::parsed(svmlight_format("", options, 1 << 20), text), strict) << version << ":\n" << text;
  }
  use_svmlight_version("");
}

ReadOptions drawn_options(Random& random) {
  ReadOptions options;
  options.double_values = random.below(2) == 0;
  options.exact_values = random.below(2) == 0;
  options.labelled = random.below(4) != 0;
  options.regression = random.below(4) == 0;
  options.drop_missing_labels = random.below(2) == 0;
  return options;
}

TEST(SvmlightVersions, AgreeOnPlainTexts) {
  rc::check([](std::uint64_t seed) {
    Random random(seed);
    const ReadOptions options = drawn_options(random);
    expect_versions_agree(test::drawn_svmlight(random, test::Oddity::kPlain), options);
    RC_ASSERT(!::testing::Test::HasFailure());
  });
}

TEST(SvmlightVersions, AgreeOnTextsThatAreCorrectButOdd) {
  rc::check([](std::uint64_t seed) {
    Random random(seed);
    const ReadOptions options = drawn_options(random);
    for (int i = 0; i < 5; ++i) {
      expect_versions_agree(test::drawn_svmlight(random, test::Oddity::kOdd), options);
    }
    RC_ASSERT(!::testing::Test::HasFailure());
  });
}

TEST(SvmlightVersions, AgreeOnRowsWithoutALabel) {
  rc::check([](std::uint64_t seed) {
    Random random(seed);
    const ReadOptions options = drawn_options(random);
    std::string text = test::drawn_svmlight(random, test::Oddity::kOdd);
    for (const auto& [word, missing] : {std::pair("spam", "NaN"), std::pair("ham", "?"), std::pair("3.25", "NA")}) {
      for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word)) {
        text.replace(at, std::string_view(word).size(), missing);
      }
    }
    expect_versions_agree(text, options);
    RC_ASSERT(!::testing::Test::HasFailure());
  });
}

TEST(SvmlightVersions, AgreeOnBrokenTexts) {
  rc::check([](std::uint64_t seed) {
    Random random(seed);
    const ReadOptions options = drawn_options(random);
    for (int i = 0; i < 20; ++i) {
      expect_versions_agree(test::mutated(test::drawn_svmlight(random, test::Oddity::kOdd), random), options);
    }
    RC_ASSERT(!::testing::Test::HasFailure());
  });
}

/// Every value token of up to four bytes over the bytes that matter, alone and in the middle of a group.
TEST(SvmlightVersions, AgreeOnEveryShortToken) {
  const std::string bytes = "01.-+e:# x";
  std::vector<std::string> tokens{""};
  for (std::size_t from = 0, length = 0; length < 4; ++length) {
    const std::size_t to = tokens.size();
    for (; from < to; ++from) {
      for (const char c : bytes) tokens.push_back(tokens[from] + c);
    }
  }
  for (const std::string& token : tokens) {
    expect_versions_agree("1 1:1 2:0.5 3:" + token + " 5:1 6:2 7:3 8:4 9:5 10:6\n", {});
    expect_versions_agree("1 1:1 " + token + ":2 99:1\n" + token + " 1:1\n", {});
    if (HasFailure()) break;
  }
}

/// A decimal whose nearest double lies half way between two floats, and whose nearest float differs from that double's.
/// Rounding twice gets it wrong, like the C library of Windows. It is short enough for the fast versions.
struct Trap {
  std::string text;
  float nearest = 0;
};
Trap drawn_trap(Random& random) {
  for (;;) {
    const std::uint64_t odd = (random.below(1 << 24) | (1 << 23)) * 2 + 1;  // needs 25 bits
    const int shift = 25 + static_cast<int>(random.below(3));
    char text[32];
    std::snprintf(text, sizeof(text), "%.14f", std::ldexp(static_cast<double>(odd), -shift));
    // How far the text lies above the tie, in units of 10⁻¹⁴·2^−shift. That is less than 2⁶³, whatever the products
    // are.
    const auto digits = static_cast<std::uint64_t>(std::atoll(text + 2));
    const auto above = static_cast<std::int64_t>((digits << shift) - odd * 100'000'000'000'000);
    const auto nearest = static_cast<float>(std::ldexp(static_cast<double>(above > 0 ? odd + 1 : odd - 1), -shift));
    // About one in a hundred of these is nearer to the tie than doubles are to one another. Without the leading zero it
    // has 15 bytes.
    if (above != 0 && nearest != static_cast<float>(std::strtod(text, nullptr))) return {text + 1, nearest};
  }
}

TEST(SvmlightVersions, NeverRoundTwice) {
  Random random(5);
  for (int row = 0; row < 20; ++row) {
    std::string text = "1 1:1 2:0.5";
    for (int index = 3; index < 12; ++index) {
      text += test::joined(" ", std::to_string(index), ":", random.below(2) == 0 ? "0.25" : drawn_trap(random).text);
    }
    const Trap trap = drawn_trap(random);
    text += test::joined(" 12:", trap.text, "\n");
    expect_versions_agree(text, {});
    const auto rows = std::get<test::PlainRows>(test::parsed(svmlight_format("", {}, 1 << 20), text));
    EXPECT_EQ(std::bit_cast<double>(rows.at(0).value.back()), trap.nearest) << trap.text;
  }
}

TEST(SvmlightVersions, StepAsideForLongNumbersWithoutAnyDifference) {
  Random random(6);
  std::string text;
  for (int row = 0; row < 300; ++row) {
    text += random.below(2) == 0 ? "+1" : "-1";
    for (int k = 1; k <= 20; ++k) {
      char value[64];
      std::snprintf(value, sizeof(value), " %d:%.17g", k, row < 200 ? random.normal() : 0.25 * k);
      text += value;
    }
    text += '\n';
  }
  expect_versions_agree(text, {});
  ReadOptions options;
  options.double_values = true;
  expect_versions_agree(text, options);
}

TEST(SvmlightVersions, AnUnknownVersionIsRefused) { EXPECT_THROW(use_svmlight_version("abacus"), std::exception); }

}  // namespace
}  // namespace linsep

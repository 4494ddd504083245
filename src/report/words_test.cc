#include "report/words.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

namespace linsep {
namespace {

TEST(Words, ADurationHasTheUnitsThatMatter) {
  EXPECT_EQ(duration(0.0512), "0.051 s");
  EXPECT_EQ(duration(12.4), "12 s");
  EXPECT_EQ(duration(59.6), "1 min 0 s");
  EXPECT_EQ(duration(200), "3 min 20 s");
  EXPECT_EQ(duration(3600 * 2 + 60 * 5), "2 h 5 min");
  EXPECT_EQ(duration(86400), "1 day");
  EXPECT_EQ(duration(86400 * 1200.0), "1,200 days");
  EXPECT_EQ(time_words(0.001), "under 0.01 s");
  EXPECT_EQ(time_words(0.01), "0.01 s");
}

TEST(Words, NounsAreOneOrSeveral) {
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(1000, "row"), "1,000 rows");
  EXPECT_EQ(counted_passes(1), "1 pass");
  EXPECT_EQ(counted_passes(2), "2 passes");
  EXPECT_EQ(with_commas(-1234567), "−1,234,567");
  EXPECT_EQ(with_commas(std::numeric_limits<std::int64_t>::min()), "−9,223,372,036,854,775,808");
}

TEST(Words, AListEndsInAndOrInHowManyMoreThereAre) {
  using List = std::vector<std::string>;
  EXPECT_EQ(listed(List{}), "");
  EXPECT_EQ(listed(List{"a"}), "a");
  EXPECT_EQ(listed(List{"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(listed(List{"a", "b", "c"}, 2), "a, b and 1 more");
  EXPECT_EQ(listed(List{"a", "b"}, 10, 2000), "a, b and 1,998 more");
  EXPECT_EQ(listed(List{"a", "b"}, 10, 0, "or"), "a or b");
}

TEST(Words, AGapOfOneHundredPercentProvesNothing) {
  EXPECT_EQ(gap_words(0.00098, 0.001),
            "within 0.098 % of the best possible (asked: 0.1 %; bound computed in training)");
  EXPECT_EQ(gap_words(0.994), "within 99.4 % of the best possible (bound computed in training)");
  EXPECT_EQ(gap_words(0.9999), "not yet proven to be near the best possible");  // 100 % in the figures shown
  EXPECT_EQ(gap_words(1), "not yet proven to be near the best possible");
}

TEST(Words, AFormulaHasSignsBetweenItsTerms) {
  Formula formula;
  EXPECT_EQ(formula.text(), "z = 0");
  formula.add(-1, "x1");
  formula.add(0, "x2");
  formula.add(2.5, "x3");
  formula.add(1, "x4");
  formula.add(-1, "");
  EXPECT_EQ(formula.text(), "z = −x1 + 2.5·x3 + x4 − 1");
}

TEST(Words, AScoreOfManyTermsEndsInDots) {
  Model model;
  model.features = 4;
  model.theta = {0, 3, -2, 1};
  model.offset = -4;
  model.schema.feature_names = {"a", "b\n", "c", "d"};
  EXPECT_EQ(score_formula(model), "z = 3·b\\n − 2·c + d − 4");
  EXPECT_EQ(score_formula(model, 2), "z = 3·b\\n − 2·c + … − 4");
}

TEST(Words, ZerosAreSaidToBeProvenOnlyIfTheyAre) {
  Model model;
  model.theta = {0, 1, 0, 2};
  EXPECT_EQ(zeros_words(model, false), "");  // no proof was looked for
  model.open_zeros.emplace();
  EXPECT_EQ(zeros_words(model, false), "2 of 4 weights are 0, all proven to be 0 in every optimal model.\n");
  model.open_zeros = {0};
  EXPECT_EQ(proven_zeros(model), 1);
  EXPECT_EQ(zeros_words(model, false),
            "2 of 4 weights are 0; 1 is proven to be 0 in every optimal model. A smaller --gap proves more.\n");
  model.theta = {1, 0};
  model.open_zeros.emplace();
  EXPECT_EQ(zeros_words(model, false), "1 of 2 weights is 0, proven to be 0 in every optimal model.\n");
  model.theta = {1, 2};
  EXPECT_EQ(zeros_words(model, false), "0 of 2 weights are 0.\n");
}

TEST(Words, AFileClaimsThatWeightsAreZeroAndProvesNothing) {
  Model model;
  model.theta = {0, 1, 0, 2};
  EXPECT_EQ(zeros_words(model, true), "");
  model.open_zeros.emplace();
  EXPECT_EQ(zeros_words(model, true),
            "2 of 4 weights are 0, all 0 in every optimal model, as claimed by the run that trained it.\n");
  model.open_zeros = {0};
  EXPECT_EQ(
      zeros_words(model, true),
      "2 of 4 weights are 0; 1 is 0 in every optimal model, as claimed by the run that trained it. A smaller --gap "
      "proves more.\n");
}

TEST(Words, TheDistanceFromTheOptimumComesWithAGapThatHelps) {
  Model model;
  EXPECT_EQ(precision_words(model, 1), "");
  model.weight_error = 0.1;
  EXPECT_EQ(precision_words(model, 1), "");  // a model without a gap
  model.options["gap"] = 1e-3;
  EXPECT_EQ(
      precision_words(model, 1),
      "Weights are within ±0.1 of the best possible ones, as claimed by the run that trained it; --gap 1e-08 would "
      "give about three digits.\n");
  EXPECT_EQ(precision_words(model, 1000),
            "Weights are within ±0.1 of the best possible ones, as claimed by the run that trained it.\n");
  EXPECT_EQ(precision_words(model, 1e7), "");
  EXPECT_EQ(
      precision_words(model, 1e-3),
      "Weights are within ±0.1 of the best possible ones, as claimed by the run that trained it; no --gap can give "
      "three digits here.\n");
}

TEST(Words, WhatAFileSaysOfItsTrainingIsAClaim) {
  EXPECT_EQ(training_words({}), "");
  EXPECT_EQ(training_words({StopReason::kConverged, 0.5, 0.4995, 0.001, {}}),
            "Objective 0.5, within 0.1 % of the best possible, as claimed by the run that trained it.\n");
  EXPECT_EQ(training_words({StopReason::kPasses, 0.5, 0.0, 1.0, {}}),
            "Objective 0.5, not yet proven to be near the best possible, as claimed by the run that trained it.\n");
}

TEST(Words, LongTextIsCutAtACharacter) {
  const auto repeated = [](const std::string& one, int times) {
    std::string all;
    for (int k = 0; k < times; ++k) all += one;
    return all;
  };
  EXPECT_EQ(short_text(repeated("é", 60)), repeated("é", 60));
  EXPECT_EQ(short_text(repeated("é", 61)), repeated("é", 59) + "…");
  EXPECT_EQ(short_text(std::string(100000, 'a')), std::string(59, 'a') + "…");
  EXPECT_EQ(short_text("a\tb"), "a\\x09b");
}

TEST(Words, ColumnsAreAsWideAsTheirCharacters) {
  EXPECT_EQ(text_width("é…漢"), 3U);
  EXPECT_EQ(padded("é", 3) + "|", "é  |");
  EXPECT_EQ(padded_left("é", 3), "  é");
  EXPECT_EQ(padded("long", 2), "long");
  EXPECT_EQ(aligned({{"row", "weight"}, {"é", "½"}, {"12"}}), "  row  weight\n  é    ½\n  12\n");
}

TEST(Words, ARoundedBoundIsStillABound) {
  double number = 1.2345649e-9;
  for (int k = 0; k < 2000; ++k, number *= 1.0247) {
    const double least = std::strtod(figure_at_most(number).c_str(), nullptr);
    const double most = std::strtod(figure_at_least(number).c_str(), nullptr);
    ASSERT_LE(least, number);
    ASSERT_GE(most, number);
    ASSERT_LE(most - least, 3e-5 * number);
  }
  EXPECT_EQ(figure_at_most(0.5), "0.5");
  EXPECT_EQ(figure_at_least(0.5), "0.5");
}

TEST(Words, FiguresOfExactNumbersAreBoundsBeyondTheRangeOfDoubles) {
  EXPECT_EQ(exact_figure("1/4", true), "0.25");
  EXPECT_EQ(exact_figure("1/3", false), "0.333333");
  EXPECT_EQ(exact_figure("1/3", true), "0.333337");
  EXPECT_EQ(exact_figure("0.000", true), "0");
  EXPECT_EQ(exact_figure("1" + std::string(400, '0'), true), "1e400");
  EXPECT_EQ(exact_figure("1/1" + std::string(400, '0'), false), "1e-400");
  EXPECT_EQ(exact_figure("1/1" + std::string(20, '0'), false), "1e-20");
  EXPECT_EQ(exact_figure("3/123456789012345678901", false), "2.43e-20");
  EXPECT_EQ(exact_figure("123456789012345678901/7", true), "1.76367e+19");
  EXPECT_EQ(root_figure("3/123456789012345678901", true), "1.55885e-10");
  EXPECT_EQ(root_figure("9/4", true), "1.5");
  EXPECT_EQ(root_figure("1/8", false), "0.353553");
  EXPECT_EQ(root_figure("1" + std::string(600, '0'), true), "1e300");
}

}  // namespace
}  // namespace linsep

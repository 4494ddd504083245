#include "linsep/tools/advice.h"

#include <gtest/gtest.h>

#include "train/certify/oracle.h"

namespace linsep {
namespace {

StopFacts facts(StopReason reason, double gap) {
  StopFacts facts;
  facts.reason = reason;
  facts.passes = 12;
  facts.gap = gap;
  facts.gap_asked = 1e-3;
  return facts;
}

TEST(StopAdvice, SaysHowCloseTheObjectiveIs) {
  const StopAdvice advice = stop_advice(facts(StopReason::kConverged, 8e-4));
  EXPECT_EQ(advice.code, "gap_reached");
  EXPECT_EQ(advice.sentence(),
            "Objective within 0.08 % of the best possible (asked: 0.1 %; bound computed in training).");
  EXPECT_EQ(advice.reached, "within 0.08 % of the best possible (asked: 0.1 %; bound computed in training)");
  EXPECT_EQ(advice.advice, "");
}

TEST(StopAdvice, SaysWhatRanOutAndTheGapReached) {
  const StopAdvice passes = stop_advice(facts(StopReason::kPasses, 0.02));
  EXPECT_EQ(passes.code, "passes");
  EXPECT_EQ(passes.sentence(),
            "Objective within 2 % of the best possible (asked: 0.1 %; bound computed in training). 12 passes were not "
            "enough: allow more "
            "'passes', or ask for a larger 'gap'.");
  StopFacts one = facts(StopReason::kPasses, 0.02);
  one.passes = 1;
  EXPECT_NE(stop_advice(one).advice.find("1 pass was not enough"), std::string::npos);
  EXPECT_EQ(stop_advice(facts(StopReason::kTime, 0.02)).code, "time");
  EXPECT_EQ(stop_advice(facts(StopReason::kInterrupted, 0.02)).code, "interrupted");
  EXPECT_EQ(stop_advice(facts(StopReason::kStalled, 0.02)).code, "rounding");
  for (const double nothing : {1.0, 0.99999, 1e300}) {
    EXPECT_EQ(stop_advice(facts(StopReason::kTime, nothing)).reached,
              "not yet proven to be near the best possible (asked: 0.1 %)");
  }
}

TEST(StopAdvice, OfAPathSaysHowManyLambdaWereFinished) {
  StopFacts path = facts(StopReason::kTime, 3.6e-4);
  path.lambdas = 7;
  path.finished = 2;
  const StopAdvice cut = stop_advice(path);
  EXPECT_EQ(cut.code, "time");
  EXPECT_EQ(cut.sentence(),
            "Objective within 0.036 % of the best possible (asked: 0.1 %; bound computed in training). Out of time "
            "after 12 passes: 2 of 7 λ "
            "finished. Allow more 'time' to try the others.");
  path.finished = 7;
  path.reason = StopReason::kConverged;
  EXPECT_EQ(stop_advice(path).code, "gap_reached");
}

TEST(StopAdvice, SeparableRowsThatAreSlowHaveNoOptimumWithoutLambda) {
  StopFacts slow = facts(StopReason::kPasses, 0.5);
  slow.no_mistakes = true;
  slow.data = "rows.svm";
  const StopAdvice advice = stop_advice(slow);
  EXPECT_EQ(advice.code, "separable_no_optimum");
  EXPECT_NE(advice.advice.find("`linsep certify rows.svm`"), std::string::npos);
  EXPECT_NE(advice.advice.find("'hard'"), std::string::npos);
  slow.gap = 1e-4;
  EXPECT_EQ(stop_advice(slow).code, "gap_reached") << "no advice where none is needed";
  slow.gap = 0.5;
  slow.hard = true;
  EXPECT_EQ(stop_advice(slow).code, "passes");
}

TEST(StopAdvice, RoundingHasRemedies) {
  StopFacts stuck = facts(StopReason::kStalled, 0.5);
  EXPECT_NE(stop_advice(stuck).advice.find("ask for a larger 'gap', or scale the columns"), std::string::npos);
  stuck.outsized = {{2, 2e6, -3e6, 1e6}};
  stuck.names = {"income"};
  EXPECT_EQ(stop_advice(stuck).advice.find("or scale the columns"), std::string::npos) << "said once";
}

TEST(StopAdvice, NamesColumnsOfOddSizes) {
  StopFacts slow = facts(StopReason::kPasses, 0.5);
  slow.outsized = {{2, 2e6, -3e6, 1e6}};
  slow.names = {"income"};
  const StopAdvice advice = stop_advice(slow);
  EXPECT_EQ(advice.code, "badly_scaled");
  EXPECT_NE(advice.advice.find("income (-3e+06 to 1e+06)"), std::string::npos);
}

TEST(ColumnSizes, AreTakenOverValuesThatArentZero) {
  SmallSet set;
  set.text = {{"3", "0", "0"}, {"-4", "2", "0"}, {"0", "2", "0"}};
  set.label = {-1, 1, 1};
  set.features = 3;
  for (const bool dense : {false, true}) {
    SmallSource source(set, 2, dense);
    const std::vector<ColumnSize> sizes = column_sizes(source, *solo());
    ASSERT_EQ(sizes.size(), 3U);
    EXPECT_DOUBLE_EQ(sizes[0].size * sizes[0].size, 12.5);
    EXPECT_EQ(sizes[0].least, -4);
    EXPECT_EQ(sizes[0].greatest, 3);
    EXPECT_EQ(sizes[1].size, 2);
    EXPECT_EQ(sizes[2].size, 0);
  }
}

TEST(Outsized, NeedsTwoColumnsFarApart) {
  const auto sized = [](std::vector<double> sizes) {
    std::vector<ColumnSize> columns;
    for (std::uint32_t j = 0; j < sizes.size(); ++j) columns.push_back({j, sizes[j], 0, sizes[j]});
    return outsized(columns);
  };
  EXPECT_TRUE(sized({1, 2, 9000}).empty());
  const auto one = sized({1, 2, 3, 30000, 0});
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].column, 3U);
  const auto two = sized({1, 1e9, 2, 1e-5, 3});
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[0].column, 1U) << "the furthest first";
  EXPECT_EQ(sized({1, 1, 1, 1, 1, 1, 1, 1, 1e9, 1e8, 1e7, 1e6, 1e5, 1e4, 1e5}).size(), 5U);
}

}  // namespace
}  // namespace linsep

#include <gtest/gtest.h>

#include "learn/testing.h"

namespace linsep {
namespace {

using testing::drive;
using testing::Packed;
using testing::Result;
using testing::Rows;
using testing::word;

using Numbers = std::vector<double>;

Rows and_gate() { return {{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, {-1, -1, -1, 1}, {}}; }
Rows far_point() { return {{{-1, -1}, {1, 0}, {-1, 10}}, {1, -1, 1}, {}}; }

Result recorded(std::unique_ptr<Learner> learner, const Rows& rows, std::int64_t most = 5000,
                std::int64_t passes = 100) {
  const Packed packed(rows);
  learner->record_visits(most);
  return drive(*learner, packed.batch(), passes);
}

std::vector<RowVisit> mistakes_of(const VisitRecord& record) {
  std::vector<RowVisit> mistakes;
  for (const RowVisit& visit : record.at) {
    if (visit.mistake) mistakes.push_back(visit);
  }
  return mistakes;
}

TEST(Visits, AreNotRecordedUnlessAskedFor) {
  const Packed packed(and_gate());
  const Result r = drive(*testing::perceptron(), packed.batch());
  EXPECT_EQ(r.stats.visits.visits, 0);
  EXPECT_TRUE(r.stats.visits.at.empty());
}

TEST(Visits, OfTheAndGateAreThirtySixWithEighteenMistakes) {
  for (const bool dual : {false, true}) {
    const Result r = recorded(dual ? testing::dual() : testing::perceptron(), and_gate());
    const VisitRecord& record = r.stats.visits;
    EXPECT_EQ(record.visits, 36);
    ASSERT_EQ(record.at.size(), 36U);
    EXPECT_FALSE(record.mistakes_only);
    EXPECT_EQ(mistakes_of(record).size(), 18U);
    EXPECT_EQ(record.start, (Numbers{0, 0}));
    // The first: a row on the boundary is a mistake.
    EXPECT_EQ(record.at[0].visit, 1);
    EXPECT_EQ(record.at[0].before, 0);
    EXPECT_EQ(record.at[0].after, 1);
    EXPECT_TRUE(record.at[0].mistake);
    EXPECT_EQ(record.at[0].offset, -1);
    EXPECT_EQ(record.at[35].visit, 36);
    EXPECT_EQ(record.at[35].pass, 9);
    EXPECT_EQ(record.at[35].row, 3);
    EXPECT_EQ(record.at[35].theta, (Numbers{3, 2}));
    EXPECT_EQ(record.at[35].offset, -4);
    EXPECT_EQ(record.at[35].before, 1);
    EXPECT_EQ(record.at[35].after, 1);
  }
}

// Three of row 1's four corrections in the second pass and after fall short.
TEST(Visits, OfTheFarPointShowCorrectionsThatFallShort) {
  const Result r = recorded(testing::perceptron({{"origin", true}}), far_point());
  Numbers before;
  for (const RowVisit& visit : r.stats.visits.at) {
    if (visit.row == 0 && visit.pass > 1) before.push_back(visit.before);
  }
  EXPECT_EQ(before, (Numbers{-7, -5, -3, -1, 1}));
  for (const RowVisit& visit : mistakes_of(r.stats.visits)) {
    EXPECT_EQ(visit.after, visit.before + (visit.row == 0 ? 2 : 101));  // y·z grows by ‖x‖²
  }
}

TEST(Visits, WithAMistakeAreTheTrace) {
  for (const char* variant : {"last", "averaged", "voted"}) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      const Rows rows = testing::real_rows(30, 3, seed);
      const Options options = {{"variant", word(variant)}, {"trace", true}, {"rate", 0.5}};
      const Packed packed(rows);
      const Result plain = drive(*testing::perceptron(options), packed.batch(), 20);
      const Result r = recorded(testing::perceptron(options), rows, 5000, 20);
      EXPECT_EQ(r.model, plain.model);  // recording changes nothing
      EXPECT_EQ(r.stats.mistakes_by_row, plain.stats.mistakes_by_row);
      const auto mistakes = mistakes_of(r.stats.visits);
      ASSERT_EQ(mistakes.size(), plain.stats.trace.size());
      for (std::size_t k = 0; k < mistakes.size(); ++k) {
        EXPECT_EQ(mistakes[k].pass, plain.stats.trace[k].pass);
        EXPECT_EQ(mistakes[k].row, plain.stats.trace[k].row);
        EXPECT_EQ(mistakes[k].theta, plain.stats.trace[k].theta);
        EXPECT_EQ(mistakes[k].offset, plain.stats.trace[k].offset);
      }
    }
  }
}

TEST(Visits, BeyondWhatWasAskedForAreThoseWithAMistake) {
  const Result all = recorded(testing::perceptron(), and_gate(), 36);
  const Result few = recorded(testing::perceptron(), and_gate(), 35);
  EXPECT_FALSE(all.stats.visits.mistakes_only);
  EXPECT_TRUE(few.stats.visits.mistakes_only);
  EXPECT_FALSE(few.stats.visits.cut);
  EXPECT_EQ(few.stats.visits.visits, 36);
  const auto mistakes = mistakes_of(all.stats.visits);
  ASSERT_EQ(few.stats.visits.at.size(), mistakes.size());
  for (std::size_t k = 0; k < mistakes.size(); ++k) EXPECT_EQ(few.stats.visits.at[k].visit, mistakes[k].visit);
}

TEST(Visits, BeginAtTheStart) {
  const Result r = recorded(testing::perceptron({{"init", Numbers{-1, -1}}, {"origin", true}}), far_point());
  EXPECT_EQ(r.stats.visits.start, (Numbers{-1, -1}));
  EXPECT_EQ(mistakes_of(r.stats.visits).size(), 5U);
  EXPECT_FALSE(r.stats.visits.at[0].mistake);
  EXPECT_EQ(r.stats.visits.at[0].before, 2);
}

TEST(Visits, OfAKernelHaveScoresButNoTheta) {
  const Rows gate{{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, {-1, 1, 1, -1}, {}};
  const Result r = recorded(testing::dual({{"kernel", word("polynomial")}}), gate);
  ASSERT_TRUE(r.converged);
  EXPECT_EQ(mistakes_of(r.stats.visits).size(), static_cast<std::size_t>(r.stats.mistakes));
  EXPECT_TRUE(r.stats.visits.at.back().theta.empty());
  EXPECT_GT(r.stats.visits.at.back().before, 0);
}

TEST(Visits, OfARegressionHaveResiduals) {
  const Rows two{{{1}, {2}}, {2, 2}, {}};
  const Result r = recorded(testing::regression({{"origin", true}, {"rate", 0.5}}), two, 5000, 2);
  ASSERT_EQ(r.stats.visits.at.size(), 4U);
  Numbers before, theta;
  for (const RowVisit& visit : r.stats.visits.at) {
    before.push_back(visit.before);
    theta.push_back(visit.theta[0]);
  }
  EXPECT_EQ(before, (Numbers{2, 0, 1, -1}));
  EXPECT_EQ(theta, (Numbers{1, 1, 1.5, 0.5}));
  EXPECT_EQ(r.stats.visits.at[0].after, 1);
  EXPECT_FALSE(r.stats.visits.at[1].mistake);
  EXPECT_EQ(r.stats.visits.at[3].pass, 2);
}

TEST(Visits, OfAnUndonePassAreUndone) {
  const Rows two{{{1}, {2}}, {2, 2}, {}};
  const Result r = recorded(testing::regression({{"rate", 100.0}}), two, 5000, 1000);
  ASSERT_FALSE(r.stats.visits.at.empty());
  EXPECT_EQ(r.stats.visits.at.back().theta, r.model.theta);
  EXPECT_EQ(r.stats.visits.at.back().offset, r.model.offset);
  EXPECT_EQ(r.stats.visits.visits, static_cast<std::int64_t>(r.stats.visits.at.size()));
}

}  // namespace
}  // namespace linsep

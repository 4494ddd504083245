#include <gtest/gtest.h>

#include <algorithm>

#include "data/decorators.h"
#include "learn/perceptron/record.h"
#include "learn/testing.h"
#include "linsep/error.h"
#include "linsep/read.h"

namespace linsep {
namespace {

using testing::drive;
using testing::dual;
using testing::Packed;
using testing::perceptron;
using testing::Result;
using testing::Rows;
using testing::word;

using Counts = std::vector<std::int64_t>;
using Numbers = std::vector<double>;

Rows three_rows(double height) { return {{{-1, -1}, {1, 0}, {-1, height}}, {1, -1, 1}, {}}; }

// The truth tables, in the order of counting.
Rows gate(const Numbers& labels) { return {{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, labels, {}}; }
Rows and_gate() { return gate({-1, -1, -1, 1}); }
Rows or_gate() { return gate({-1, 1, 1, 1}); }
Rows xor_gate() { return gate({-1, 1, 1, -1}); }
Rows not_gate() { return {{{0}, {1}}, {1, -1}, {}}; }

const Options kOrigin = {{"origin", true}};

Result run(const Rows& rows, const Options& options) {
  const Packed packed(rows);
  return drive(*perceptron(options), packed.batch());
}

TEST(Perceptron, ThreeRowsTakeTwoMistakesFromZero) {
  const Result r = run(three_rows(1.5), kOrigin);
  EXPECT_TRUE(r.converged);
  EXPECT_EQ(r.stats.mistakes, 2);
  EXPECT_EQ(r.stats.mistakes_by_row, (Counts{1, 0, 1}));
  EXPECT_EQ(r.model.theta, (Numbers{-2, 0.5}));
  EXPECT_EQ(r.model.offset, 0);
  ASSERT_EQ(r.history.size(), 2U);
  EXPECT_EQ(r.history[0].mistakes, 2);
  EXPECT_EQ(r.history[1].mistakes, 0);
}

TEST(Perceptron, ThreeRowsTakeOneMistakeFromAGoodStart) {
  const Result r = run(three_rows(1.5), {{"origin", true}, {"init", Numbers{-1, -1}}});
  EXPECT_EQ(r.stats.mistakes, 1);
  EXPECT_EQ(r.stats.mistakes_by_row, (Counts{0, 0, 1}));
}

TEST(Perceptron, ADistantRowCostsMoreMistakes) {
  const Result from_zero = run(three_rows(10), kOrigin);
  EXPECT_EQ(from_zero.stats.mistakes, 6);
  EXPECT_EQ(from_zero.stats.mistakes_by_row, (Counts{5, 0, 1}));
  EXPECT_EQ(from_zero.model.theta, (Numbers{-6, 5}));
  EXPECT_EQ(run(three_rows(10), {{"origin", true}, {"init", Numbers{-1, -1}}}).stats.mistakes, 5);
}

TEST(Perceptron, TheOrderOfRowsMatters) {
  const Rows rows{{{1, 0}, {-1, 10}, {-1, -1}}, {-1, 1, 1}, {}};
  EXPECT_EQ(run(rows, kOrigin).stats.mistakes, 1);
}

TEST(Perceptron, LearnsTheGates) {
  EXPECT_EQ(run(not_gate(), {}).stats.mistakes, 5);
  EXPECT_EQ(run(or_gate(), {}).stats.mistakes, 9);
  const Result r = run(and_gate(), {});
  EXPECT_TRUE(r.converged);
  EXPECT_EQ(r.stats.mistakes, 18);
  EXPECT_EQ(r.stats.mistakes_by_row, (Counts{2, 5, 4, 7}));
  EXPECT_EQ(r.model.theta, (Numbers{3, 2}));
  EXPECT_EQ(r.model.offset, -4);
}

TEST(Perceptron, NeverLearnsExclusiveOr) {
  const Result r = run(xor_gate(), {});
  EXPECT_FALSE(r.converged);
  EXPECT_EQ(r.history.size(), 100U);
  EXPECT_EQ(r.stats.mistakes, 400);
}

TEST(Perceptron, LearnsExclusiveOrWithProducts) {
  const Packed packed(xor_gate());
  const auto source = view(packed.batch(), {});
  const auto mapped = map_rows(*source, {FeatureMap::Kind::kProducts, 2});
  const Result r = drive(*perceptron(), *mapped);
  EXPECT_TRUE(r.converged);
  EXPECT_EQ(r.stats.mistakes, 29);
  EXPECT_EQ(r.model.theta.size(), 3U);
}

TEST(Perceptron, ARowOnTheBoundaryIsAMistake) {
  const Result r = run({{{1, -1}}, {1}, {}}, {{"origin", true}, {"init", Numbers{1, 1}}});
  EXPECT_EQ(r.history[0].mistakes, 1);
}

TEST(Perceptron, TheRateScalesTheClassifierFromZeroAndChangesNoMistake) {
  const Result one = run(and_gate(), {});
  const Result quarter = run(and_gate(), {{"rate", 0.25}});
  EXPECT_EQ(quarter.stats.mistakes_by_row, one.stats.mistakes_by_row);
  EXPECT_EQ(quarter.model.theta, (Numbers{0.75, 0.5}));
  EXPECT_EQ(quarter.model.offset, -1);
}

TEST(Perceptron, AveragesOverAllStepsByHand) {
  // θ is (−1,−1) after rows 1 and 2, then (−2, 0.5) for four more.
  const Result r = run(three_rows(1.5), {{"origin", true}, {"variant", word("averaged")}});
  EXPECT_EQ(r.model.form, Model::Form::kLinear);
  EXPECT_EQ(r.model.theta, (Numbers{-10.0 / 6, 0}));
  EXPECT_EQ(r.stats.mistakes, 2);
}

TEST(Perceptron, AveragesTheOffsetToo) {
  // "not": (θ, θ0) after each step is (0,1) (−1,0) | (−1,1) (−2,0) | (−2,1) (−2,1) | (−2,1) (−2,1).
  const Result r = run(not_gate(), {{"variant", word("averaged")}});
  EXPECT_EQ(r.model.theta, (Numbers{-12.0 / 8}));
  EXPECT_EQ(r.model.offset, 6.0 / 8);
}

TEST(Perceptron, VotesByHand) {
  const Packed packed(three_rows(1.5));
  const Result r = drive(*perceptron({{"origin", true}, {"variant", word("voted")}}), packed.batch());
  EXPECT_EQ(r.model.form, Model::Form::kVoted);
  EXPECT_EQ(r.model.theta, (Numbers{0, 0}));
  EXPECT_EQ(r.model.votes, (Numbers{0, 2, 4}));
  EXPECT_EQ(r.model.coefficient, (Numbers{1, 1}));
  EXPECT_EQ(r.model.kept.value, (Numbers{-1, -1, -1, 1.5}));
  // (1, −1): θ1 = (−1,−1) scores 0 and votes +, θ2 = (−2, 0.5) votes −, so 2 − 4. (0, 1): −2 + 4.
  const Packed probe({{{1, -1}, {0, 1}}, {1, 1}, {}});
  Numbers z(2);
  score(r.model, probe.batch(), z);
  EXPECT_EQ(z, (Numbers{-2, 2}));
}

TEST(Perceptron, VotesOfAStartAddUpToTheRowsVisited) {
  const Result r = run(and_gate(), {{"variant", word("voted")}, {"init", Numbers{3, 1}}, {"init-offset", -3.5}});
  EXPECT_EQ(r.model.theta, (Numbers{3, 1}));
  EXPECT_EQ(r.model.offset, -3.5);
  EXPECT_EQ(r.model.votes, (Numbers{4}));
  EXPECT_TRUE(r.model.kept.size() == 0);
}

TEST(Perceptron, TracesEveryIntermediateClassifier) {
  const Result r = run(three_rows(1.5), {{"origin", true}, {"trace", true}});
  ASSERT_EQ(r.stats.trace.size(), 2U);
  EXPECT_EQ(r.stats.trace[0].theta, (Numbers{-1, -1}));
  EXPECT_EQ(r.stats.trace[0].row, 0);
  EXPECT_EQ(r.stats.trace[1].theta, (Numbers{-2, 0.5}));
  EXPECT_EQ(r.stats.trace[1].row, 2);
  EXPECT_EQ(r.stats.trace[1].pass, 1);
  EXPECT_TRUE(run(three_rows(1.5), kOrigin).stats.trace.empty());
}

TEST(Perceptron, TheTraceIsCutOffNotTheTraining) {
  const Packed packed({{{1}, {1}, {1}, {1}}, {1, -1, 1, -1}, {}}, {.dense = false, .is_float = true});
  Batch wide = packed.batch();
  wide.features = 4'000'000;  // of 8,388,608 numbers in all
  const Result r = drive(*perceptron({{"origin", true}, {"trace", true}}), wide, 1);
  EXPECT_EQ(r.stats.mistakes, 4);
  ASSERT_EQ(r.stats.trace.size(), 2U);
  EXPECT_EQ(r.stats.trace[1].row, 1);
}

TEST(Perceptron, StartsFromAModel) {
  Model start;
  start.theta = {3, 2};
  start.offset = -4;
  const Packed packed(and_gate());
  const Result r = drive(*perceptron({}, &start), packed.batch());
  EXPECT_EQ(r.stats.mistakes, 0);
  EXPECT_EQ(r.model.theta, start.theta);
  EXPECT_EQ(r.model.offset, start.offset);
  // The given numbers take precedence over the model's.
  EXPECT_EQ(drive(*perceptron({{"init", Numbers{0, 0}}}, &start), packed.batch()).stats.mistakes, 18);
}

TEST(Perceptron, RefusesStartsThatMakeNoSense) {
  const Packed packed(and_gate());
  EXPECT_THROW(drive(*perceptron({{"init", Numbers{1, 2, 3}}}), packed.batch()), Error);
  EXPECT_THROW(drive(*perceptron({{"init", Numbers{1}}}), packed.batch()), Error);
  EXPECT_THROW(perceptron({{"origin", true}, {"init-offset", 1.0}}), Error);
  Model voted;
  voted.form = Model::Form::kVoted;
  EXPECT_THROW(perceptron({}, &voted), Error);
}

TEST(Perceptron, ForgetsAnEarlierRunWhenItBeginsAnew) {
  const Packed packed(and_gate());
  for (const char* variant : {"last", "averaged", "voted"}) {
    const auto learner = perceptron({{"variant", word(variant)}, {"trace", true}});
    const Result first = drive(*learner, packed.batch());
    const Result second = drive(*learner, packed.batch());
    EXPECT_EQ(first.model, second.model);
    EXPECT_EQ(first.stats.mistakes_by_row, second.stats.mistakes_by_row);
    EXPECT_EQ(first.stats.trace.size(), second.stats.trace.size());
  }
}

// In a stream nothing is known in advance, and features appear along the way.
TEST(Perceptron, GrowsWithAStream) {
  for (const char* variant : {"last", "averaged", "voted"}) {
    const Rows rows{{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {1, -1, 0}, {0, 0, 1}, {1, 0, -1}}, {1, -1, -1, 1, -1, 1}, {}};
    const Packed packed(rows, {.dense = false, .is_float = false});
    auto batches = testing::pieces(packed.batch(), 2);
    for (std::size_t i = 0; i < batches.size(); ++i) batches[i].features = static_cast<std::uint32_t>(i + 1);
    const Options options = {{"variant", word(variant)}};
    const Result stream = drive(*perceptron(options), {-1, 0, -1}, batches, 1, *solo());
    const Result known = drive(*perceptron(options), testing::shape_of(packed.batch()), {packed.batch()}, 1, *solo());
    EXPECT_EQ(stream.model, known.model);
    EXPECT_EQ(stream.stats.mistakes_by_row, known.stats.mistakes_by_row);
  }
}

TEST(Perceptron, StopsCountingByRowOnALongStream) {
  const Packed packed({{{1}, {1}}, {1, -1}, {}});
  const auto learner = perceptron({{"origin", true}});
  learner->begin({-1, 0, -1});
  Batch batch = packed.batch();
  learner->visit(batch);
  EXPECT_EQ(learner->stats().mistakes_by_row, (Counts{1, 1}));
  batch.first_row = MistakeCount::kStreamRows - 1;
  learner->visit(batch);
  EXPECT_TRUE(learner->stats().mistakes_by_row.empty());
  EXPECT_EQ(learner->stats().mistakes, 4);
}

TEST(Perceptron, NoRowsAreNoMistakes) {
  const Result r = run({}, {});
  EXPECT_TRUE(r.converged);
  EXPECT_EQ(run({}, {{"variant", word("averaged")}}).model.offset, 0);
}

// A row whose score is not a number is never taken for correct.
TEST(Perceptron, AnOverflowIsAMistake) {
  const Result r =
      run({{{1e308, 1e308}, {1e308, -1e308}, {1e308, 1e308}}, {1, 1, -1}, {}}, {{"init", Numbers{1e308, 1e308}}});
  EXPECT_FALSE(r.converged);
}

// Of the 2^(2^k) labelings of the corners of a cube, exactly 4, 14 and 104 are linearly separable (k = 1, 2, 3).
TEST(Perceptron, ConvergesOnExactlyTheSeparableLabelingsOfACube) {
  const int separable[] = {4, 14, 104};
  for (int k = 1; k <= 3; ++k) {
    const int corners = 1 << k;
    int converged = 0;
    for (int labeling = 0; labeling < 1 << corners; ++labeling) {
      Rows rows;
      for (int corner = 0; corner < corners; ++corner) {
        Numbers x(static_cast<std::size_t>(k));
        for (int j = 0; j < k; ++j) x[static_cast<std::size_t>(j)] = corner >> j & 1;
        rows.x.push_back(x);
        rows.y.push_back((labeling >> corner & 1) != 0 ? 1 : -1);
      }
      const Packed packed(rows);
      const Result primal = drive(*perceptron(), packed.batch());
      const Result dual_form = drive(*dual(), packed.batch());
      converged += primal.converged ? 1 : 0;
      EXPECT_EQ(dual_form.stats.mistakes_by_row, primal.stats.mistakes_by_row);
      EXPECT_EQ(dual_form.model.theta, primal.model.theta);
      EXPECT_EQ(dual_form.model.offset, primal.model.offset);
      if (!primal.converged) continue;
      Numbers z(rows.size());
      score(primal.model, packed.batch(), z);
      for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_GT(rows.y[i] * z[i], 0);
    }
    EXPECT_EQ(converged, separable[k - 1]);
  }
}

}  // namespace
}  // namespace linsep

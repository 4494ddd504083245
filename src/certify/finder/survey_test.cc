// Compares Survey and Peel with rows that are examined one by one.
#include "certify/finder/survey.h"

#include <gtest/gtest.h>

#include <map>

#include "certify/testing.h"
#include "linsep/error.h"

namespace linsep {
namespace {

using testing::TenthRows;

void set_options(FinderState& state, const TenthRows& set, bool origin) {
  state.options.origin = origin;
  state.options.binary = set.binary;
  state.options.written = [&set](std::span<const std::int64_t> rows) { return set.written(rows); };
}

/// Rows with z_i = −z_j that can be paired, by counting equal rows. Through the origin, each row of zeros is a witness
/// by itself, and only rows of zeros of different classes are paired.
std::size_t most_pairs(const TenthRows& set, bool origin) {
  std::map<std::vector<Rational>, std::int64_t> count;
  const std::vector<Rational> zero(set.features() + (origin ? 0 : 1), Rational(0));
  std::int64_t zeros_of_class[2] = {0, 0};
  for (std::size_t i = 0; i < set.rows(); ++i) {
    const std::vector<Rational> z = set.z(i, origin);
    ++(z == zero ? zeros_of_class[set.label[i] > 0 ? 1 : 0] : count[z]);
  }
  std::int64_t pairs = std::min(zeros_of_class[0], zeros_of_class[1]);
  for (const auto& [z, times] : count) {
    std::vector<Rational> opposite = z;
    for (Rational& v : opposite) v = Rational(0) - v;
    const auto other = count.find(opposite);
    if (other != count.end() && z < opposite) pairs += std::min(times, other->second);
  }
  return static_cast<std::size_t>(pairs);
}

TEST(Survey, FindsAllConflictsOfDrawnSets) {
  std::size_t in_all = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const TenthRows set = testing::drawn_rows(seed, 12, 2, 1);
    const bool origin = seed % 2 == 0;
    FinderState state;
    set_options(state, set, origin);
    Survey survey(state);
    const auto comm = solo();
    EXPECT_EQ(testing::run_once(survey, set, 0, set.rows(), 5, *comm), Verdict::kConverged);
    EXPECT_EQ(state.row_count, 12);
    EXPECT_EQ(state.conflicts.size(), most_pairs(set, origin)) << "seed " << seed;
    in_all += state.conflicts.size();
    for (const auto& [first, second] : state.conflicts) {
      EXPECT_TRUE(opposite(set.exact_row(first, state.scaling.space), set.exact_row(second, state.scaling.space)));
    }
  }
  EXPECT_GT(in_all, 200U);
}

TEST(Survey, ScalesColumnsToValuesNearOne) {
  const TenthRows set{{{1000, 0, 1}, {-900, 0, 1}, {1100, 0, -1}}, {1, -1, 1}};  // about 100, none, 0.1
  FinderState state;
  set_options(state, set, false);
  Survey survey(state);
  const auto comm = solo();
  testing::run_once(survey, set, 0, 3, 3, *comm);
  EXPECT_EQ(state.scaling.exponent, (std::vector<int>{7, 0, -3, 0}));
  EXPECT_EQ(state.scaling.column_scale, (std::vector<double>{1 / 128.0, 1, 8}));
}

TEST(Survey, KnowsTheFirstRowOfEachClassAndTheFirstOfZeros) {
  const TenthRows set{{{1}, {0}, {3}, {0}}, {-1, -1, 1, 1}};
  FinderState state;
  set_options(state, set, true);
  Survey survey(state);
  const auto comm = solo();
  testing::run_once(survey, set, 0, 4, 2, *comm);
  EXPECT_EQ(state.first_of_class[0], 0);
  EXPECT_EQ(state.first_of_class[1], 2);
  EXPECT_EQ(state.zero_row, 1);
}

TEST(Survey, RefusesOtherLabelsAndOtherOrders) {
  const auto comm = solo();
  TenthRows set{{{1}, {2}}, {1, 2}};
  FinderState state;
  set_options(state, set, false);
  Survey survey(state);
  EXPECT_THROW(testing::run_once(survey, set, 0, 2, 2, *comm), Error);
  set.label = {1, -1};
  FinderState other;
  set_options(other, set, false);
  Survey backwards(other);
  backwards.begin({2, 1, -1});
  backwards.visit(testing::TenthBatch(set, 1, 2).batch());
  EXPECT_THROW(backwards.visit(testing::TenthBatch(set, 0, 1).batch()), Error);
}

TEST(Survey, IsTheSameOnSeveralWorkers) {
  const TenthRows set = testing::drawn_rows(9, 30, 2, 1);
  FinderState alone;
  set_options(alone, set, false);
  Survey survey(alone);
  const auto one = solo();
  testing::run_once(survey, set, 0, 30, 30, *one);
  ASSERT_FALSE(alone.conflicts.empty());
  run_threads(3, [&](Comm& comm) {
    const auto rank = static_cast<std::size_t>(comm.rank());
    FinderState state;
    set_options(state, set, false);
    Survey share(state);
    testing::run_once(share, set, 10 * rank, 10 * (rank + 1), 4, comm);
    EXPECT_EQ(state.conflicts, alone.conflicts);
    EXPECT_EQ(state.row_count, 30);
    EXPECT_EQ(state.first_of_class[0], alone.first_of_class[0]);
    EXPECT_EQ(state.first_of_class[1], alone.first_of_class[1]);
    EXPECT_EQ(state.scaling.exponent, alone.scaling.exponent);
  });
}

/// Rows left once columns of one sign have taken theirs with them, by the definition.
std::vector<bool> core_of(const TenthRows& set, bool origin) {
  std::vector<bool> live(set.rows(), true);
  const auto z = set.all_z(origin);
  for (bool peeled = true; peeled;) {
    std::vector<bool> one_sign(z.front().size(), false);
    for (std::size_t j = 0; j < one_sign.size(); ++j) {
      bool positive = false, negative = false;
      for (std::size_t i = 0; i < set.rows(); ++i) {
        positive = positive || (live[i] && z[i][j] > 0);
        negative = negative || (live[i] && z[i][j] < 0);
      }
      one_sign[j] = positive != negative;
    }
    peeled = false;
    for (std::size_t i = 0; i < set.rows(); ++i) {
      for (std::size_t j = 0; j < one_sign.size(); ++j) {
        if (!live[i] || !one_sign[j] || z[i][j] == 0) continue;
        live[i] = false;
        peeled = true;
      }
    }
  }
  return live;
}

TEST(Peel, LeavesTheCoreOfDrawnSets) {
  int whole = 0, part = 0, none = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    const bool origin = seed % 2 == 0;
    const TenthRows set = testing::drawn_rows(seed, 3 + seed % 9, 1 + static_cast<std::uint32_t>(seed % 4), 1);
    FinderState state;
    set_options(state, set, origin);
    Survey survey(state);
    Peel peel(state);
    const auto comm = solo();
    testing::run_once(survey, set, 0, set.rows(), 4, *comm);
    SignRound::Next next = survey.next();
    for (int round = 0; next == SignRound::Next::kPeel; ++round) {
      ASSERT_LT(round, 100);
      const Verdict verdict = testing::run_once(peel, set, 0, set.rows(), 4, *comm);
      next = peel.next();
      EXPECT_EQ(verdict == Verdict::kContinue, next == SignRound::Next::kPeel);
    }
    const std::vector<bool> core = core_of(set, origin);
    const std::int64_t left = std::count(core.begin(), core.end(), true);
    EXPECT_EQ(state.signs.live(), left);
    EXPECT_EQ(next, left == 0 ? SignRound::Next::kNothing : SignRound::Next::kCore);
    for (std::size_t i = 0; i < set.rows(); ++i) EXPECT_EQ(state.rows.live(i), core[i]) << "row " << i;
    ++(left == 0 ? none : left == static_cast<std::int64_t>(set.rows()) ? whole : part);
  }
  EXPECT_GT(whole, 20);
  EXPECT_GT(part, 20);
  EXPECT_GT(none, 20);
}

}  // namespace
}  // namespace linsep

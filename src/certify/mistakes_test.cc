// Compares MistakePool with mistakes counted over rationals, row by row.
#include <gtest/gtest.h>

#include <set>

#include "certify/mistakes.h"
#include "certify/oracle.h"
#include "certify/testing.h"

namespace linsep {
namespace {

using testing::TenthRows;

PoolOptions options_for(const TenthRows& set, bool origin, std::vector<double> theta, double offset) {
  PoolOptions options;
  options.scaling = testing::plain_scaling(set, origin);
  options.theta = std::move(theta);
  options.offset = offset;
  options.written = [&set](std::span<const std::int64_t> rows) { return set.written(rows); };
  return options;
}

bool is_mistake(const TenthRows& set, std::size_t i, const std::vector<double>& theta, double offset) {
  Rational score(offset);
  for (std::size_t j = 0; j < theta.size(); ++j) score += Rational(theta[j]) * set.exact(i, j);
  return Rational(set.label[i]) * score <= 0;
}

std::multiset<std::int64_t> numbers_of(const std::vector<WorkRow>& rows) {
  std::multiset<std::int64_t> numbers;
  for (const WorkRow& row : rows) numbers.insert(row.row);
  return numbers;
}

/// Small weights in tenths of powers of two, so that rows on the boundary are frequent.
std::vector<double> drawn_theta(Random& random, std::uint32_t features) {
  std::vector<double> theta;
  for (std::uint32_t j = 0; j < features; ++j) theta.push_back((static_cast<double>(random.below(5)) - 2) * 5);
  return theta;
}

TEST(MistakePool, CountsTheMistakesOfDrawnSetsAndKeepsEveryRow) {
  int on_boundary = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(73, seed);
    const auto features = static_cast<std::uint32_t>(1 + random.below(3));
    const TenthRows set = testing::drawn_rows(seed, 1 + random.below(30), features, 3);
    const bool origin = random.below(2) == 0;
    const std::vector<double> theta = drawn_theta(random, features);
    const double offset = origin ? 0 : 1.5 * (static_cast<double>(random.below(3)) - 1);
    MistakePool pool(options_for(set, origin, theta, offset));
    const auto comm = solo();
    EXPECT_EQ(testing::run_once(pool, set, 0, set.rows(), 1 + random.below(7), *comm), Verdict::kConverged);
    std::multiset<std::int64_t> wrong, right;
    for (std::size_t i = 0; i < set.rows(); ++i) {
      (is_mistake(set, i, theta, offset) ? wrong : right).insert(static_cast<std::int64_t>(i));
      TenthRows flipped = set;
      flipped.label[i] = -flipped.label[i];
      if (is_mistake(set, i, theta, offset) && is_mistake(flipped, i, theta, offset)) ++on_boundary;
    }
    EXPECT_EQ(pool.mistakes(), static_cast<std::int64_t>(wrong.size())) << "seed " << seed;
    EXPECT_EQ(numbers_of(pool.take_wrong()), wrong) << "seed " << seed;
    EXPECT_EQ(numbers_of(pool.take_right()), right) << "seed " << seed;
  }
  EXPECT_GT(on_boundary, 100) << "rows on the boundary are mistakes, and there should be some";
}

TEST(MistakePool, ARowOnTheBoundaryAsWrittenIsAMistake) {
  // 10·0.1 + 10·0.2 − 3 is 0 as written but above 0 in doubles.
  const TenthRows set{{{1, 2}}, {1}};
  MistakePool pool(options_for(set, false, {10, 10}, -3));
  const auto comm = solo();
  testing::run_once(pool, set, 0, 1, 1, *comm);
  EXPECT_EQ(pool.mistakes(), 1);
}

TEST(MistakePool, TheWorstMistakesAndTheRowsNearestToTheBoundaryComeFirst) {
  // Except for the sign, all rows lie in [1/2, 1), so scores compare as they are.
  TenthRows set{{{5}, {9}, {7}, {6}, {8}}, {1, -1, -1, 1, 1}};
  MistakePool pool(options_for(set, true, {1}, 0));
  const auto comm = solo();
  testing::run_once(pool, set, 0, set.rows(), 2, *comm);
  const auto order = [](const std::vector<WorkRow>& rows) {
    std::vector<std::int64_t> numbers;
    for (const WorkRow& row : rows) numbers.push_back(row.row);
    return numbers;
  };
  EXPECT_EQ(order(pool.take_wrong()), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(order(pool.take_right()), (std::vector<std::int64_t>{0, 3, 4}));
}

TEST(MistakePool, KeptRowsAreCopies) {
  const TenthRows set{{{-5, 0, 2}}, {-1}};
  MistakePool pool(options_for(set, false, {1, 1, 1}, 0));
  const auto comm = solo();
  testing::run_once(pool, set, 0, 1, 1, *comm);
  const std::vector<WorkRow> right = pool.take_right();
  ASSERT_EQ(right.size(), 1U);
  EXPECT_EQ(right[0].sign, -1);
  EXPECT_EQ(right[0].column, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(right[0].value, (std::vector<double>{-0.5, 0.2}));
}

TEST(MistakePool, IsTheSameOnSeveralWorkers) {
  const TenthRows set = testing::drawn_rows(5, 60, 2, 3);
  const std::vector<double> theta = {5, -10};
  MistakePool alone(options_for(set, false, theta, 0.5));
  const auto one = solo();
  testing::run_once(alone, set, 0, set.rows(), 60, *one);
  const auto wrong = numbers_of(alone.take_wrong());
  const auto right = numbers_of(alone.take_right());
  ASSERT_FALSE(wrong.empty());
  run_threads(3, [&](Comm& comm) {
    const auto rank = static_cast<std::size_t>(comm.rank());
    MistakePool pool(options_for(set, false, theta, 0.5));
    testing::run_once(pool, set, 20 * rank, 20 * (rank + 1), 7, comm);
    EXPECT_EQ(pool.mistakes(), alone.mistakes());
    EXPECT_EQ(numbers_of(pool.take_wrong()), wrong);
    EXPECT_EQ(numbers_of(pool.take_right()), right);
  });
}

// Checks what WitnessPacking packs by the definition, and against the smallest number of mistakes found by trying.

using testing::TenthRows;

constexpr std::size_t kNoLimit = SIZE_MAX;

ExactReader reader_of(const TenthRows& set, bool origin) {
  return [&set, space = testing::space_of(set, origin)](const std::vector<std::int64_t>& rows) {
    std::vector<ExactRow> exact;
    for (const std::int64_t row : rows) exact.push_back(set.exact_row(row, space));
    return exact;
  };
}

/// Pairs with z_i = −z_j by trying, each row in one pair.
std::vector<std::pair<std::int64_t, std::int64_t>> conflicts_of(const TenthRows& set, bool origin) {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  std::set<std::size_t> used;
  for (std::size_t i = 0; i < set.rows(); ++i) {
    for (std::size_t k = i + 1; k < set.rows(); ++k) {
      std::vector<Rational> opposite = set.z(k, origin);
      for (Rational& v : opposite) v = Rational(0) - v;
      if (used.contains(i) || used.contains(k) || set.z(i, origin) != opposite) continue;
      pairs.emplace_back(i, k);
      used.insert(i);
      used.insert(k);
    }
  }
  return pairs;
}

struct Sides {
  std::vector<WorkRow> wrong, right;
};
/// The sides on which the classifier w over the columns of z leaves the rows.
Sides sides_of(const TenthRows& set, bool origin, const std::vector<int>& w) {
  Sides sides;
  for (std::size_t i = 0; i < set.rows(); ++i) {
    Rational score = 0;
    const std::vector<Rational> z = set.z(i, origin);
    for (std::size_t j = 0; j < z.size(); ++j) score += Rational(w[j]) * z[j];
    (score <= 0 ? sides.wrong : sides.right).push_back(set.work_row(static_cast<std::int64_t>(i)));
  }
  return sides;
}

std::vector<Witness> packed(const TenthRows& set, bool origin, const std::vector<int>& w, std::size_t limit = kNoLimit,
                            const Deadline& deadline = {}, const Observer& observe = {}) {
  WitnessPacking packing(testing::plain_scaling(set, origin), reader_of(set, origin));
  packing.add_pairs(conflicts_of(set, origin), limit, deadline);
  const Sides sides = sides_of(set, origin, w);
  packing.pack(sides.wrong, sides.right, limit, deadline, observe);
  return packing.witnesses();
}

void expect_packing(const std::vector<Witness>& witnesses, const TenthRows& set, bool origin) {
  std::set<std::int64_t> used;
  for (const Witness& witness : witnesses) {
    EXPECT_TRUE(testing::is_witness(witness, set, origin));
    for (const auto& [row, alpha] : witness) EXPECT_TRUE(used.insert(row).second) << "row " << row << " is used twice";
  }
}

/// Every set of `rows` rows with one feature in {−1, 0, 1} tenths and any labels.
template <class F>
void for_all_sets(std::size_t rows, F&& f) {
  std::size_t count = 1;
  for (std::size_t i = 0; i < rows; ++i) count *= 6;
  for (std::size_t code = 0; code < count; ++code) {
    TenthRows set;
    set.binary = code % 2 == 0;
    std::size_t rest = code;
    for (std::size_t i = 0; i < rows; ++i, rest /= 6) {
      set.x.push_back({static_cast<int>(rest % 3) - 1});
      set.label.push_back(rest % 6 < 3 ? -1 : 1);
    }
    f(set);
  }
}

TEST(WitnessPacking, OfEveryTinySetIsNoMoreThanTheLeastNumberOfMistakes) {
  std::int64_t packed_in_all = 0, least_in_all = 0;
  for_all_sets(4, [&](const TenthRows& set) {
    for (const bool origin : {false, true}) {
      const auto witnesses = packed(set, origin, origin ? std::vector<int>{1} : std::vector<int>{2, -1});
      expect_packing(witnesses, set, origin);
      const std::int64_t least = least_mistakes(set.all_z(origin));
      EXPECT_LE(static_cast<std::int64_t>(witnesses.size()), least);
      packed_in_all += static_cast<std::int64_t>(witnesses.size());
      least_in_all += least;
    }
  });
  EXPECT_GT(10 * packed_in_all, 6 * least_in_all) << "most mistakes of tiny sets can be explained";
}

TEST(WitnessPacking, OfDrawnSetsIsNoMoreThanTheLeastNumberOfMistakes) {
  std::int64_t longest = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Random random(74, seed);
    const TenthRows set = testing::drawn_rows(seed, 8, 2, seed % 2 == 0 ? 1 : 50);
    const bool origin = random.below(2) == 0;
    std::vector<int> w = {static_cast<int>(random.below(7)) - 3, static_cast<int>(random.below(7)) - 3};
    if (!origin) w.push_back(static_cast<int>(random.below(3)) - 1);
    const auto witnesses = packed(set, origin, w);
    expect_packing(witnesses, set, origin);
    EXPECT_LE(static_cast<std::int64_t>(witnesses.size()), least_mistakes(set.all_z(origin))) << "seed " << seed;
    for (const Witness& witness : witnesses) longest = std::max(longest, static_cast<std::int64_t>(witness.size()));
  }
  EXPECT_GE(longest, 4) << "not all witnesses are of two or three rows";
}

// One wrong row and rows that the classifier gets right. A witness exists exactly if all of them together aren't
// separable. (This uses decimals, because tenths as doubles can overlap by less than rounding, which a search in floats
// misses.)
TEST(WitnessPacking, FindsTheWitnessOfASingleWrongRow) {
  int found = 0, none = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    TenthRows set = testing::drawn_rows(seed, 7, 2, 20);
    const std::vector<int> w = {1, 2, 1};
    set.binary = false;
    for (std::size_t i = 0; i < set.rows(); ++i) {
      set.label[i] = set.x[i][0] + 2 * set.x[i][1] + 10 > 0 ? 1 : -1;
    }
    set.label[0] = -set.label[0];
    if (sides_of(set, false, w).wrong.size() != 1) continue;
    const auto witnesses = packed(set, false, w);
    expect_packing(witnesses, set, false);
    const bool separable = truth_of(set.all_z(false)).claim == Claim::kSeparable;
    EXPECT_EQ(witnesses.size(), separable ? 0U : 1U) << "seed " << seed;
    ++(separable ? none : found);
  }
  EXPECT_GT(found, 50);
  EXPECT_GT(none, 50);
}

TEST(WitnessPacking, TakesConflictsOnlyWhereTheyAreExact) {
  // They equal 1/10 as doubles, but the second pair was never equal.
  const TenthRows set{{{1}, {1}, {2}, {3}}, {1, -1, 1, -1}};
  WitnessPacking packing(testing::plain_scaling(set, false), reader_of(set, false));
  packing.add_pairs({{0, 1}, {2, 3}}, kNoLimit, {});
  ASSERT_EQ(packing.witnesses().size(), 1U);
  EXPECT_EQ(packing.witnesses()[0], (Witness{{0, 1}, {1, 1}}));
}

TEST(WitnessPacking, EndsAtItsLimitAndWhenItIsToldTo) {
  TenthRows set;
  for (int i = 0; i < 12; ++i) {
    set.x.push_back({i / 2});
    set.label.push_back(i % 2 == 0 ? 1 : -1);
  }
  EXPECT_EQ(packed(set, false, {1, 0}).size(), 6U);
  EXPECT_EQ(packed(set, false, {1, 0}, 4).size(), 4U);
  int asked = 0;
  EXPECT_EQ(packed(set, false, {1, 0}, kNoLimit, [&] { return ++asked > 3; }).size(), 3U);
}

TEST(WitnessPacking, TellsOfEveryWrongRowThatItTries) {
  const TenthRows set{{{1}, {3}, {2}, {5}}, {1, 1, -1, -1}};
  std::vector<std::int64_t> tried;
  const auto witnesses = packed(set, false, {10, 0}, kNoLimit, {}, [&](const Progress& progress) {
    tried.push_back(progress.rows);
    EXPECT_EQ(progress.rows_in_all, 2);
  });
  EXPECT_EQ(tried, (std::vector<std::int64_t>{0, 1}));
  expect_packing(witnesses, set, false);
  EXPECT_EQ(witnesses.size(), 1U);
}

}  // namespace

}  // namespace linsep

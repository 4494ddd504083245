// MistakePool against mistakes counted over rationals, row by row.
#include "certify/mistake_pool.h"

#include <gtest/gtest.h>

#include <set>

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
  // 10·0.1 + 10·0.2 − 3 is 0 as written, above 0 in doubles.
  const TenthRows set{{{1, 2}}, {1}};
  MistakePool pool(options_for(set, false, {10, 10}, -3));
  const auto comm = solo();
  testing::run_once(pool, set, 0, 1, 1, *comm);
  EXPECT_EQ(pool.mistakes(), 1);
}

TEST(MistakePool, TheWorstMistakesAndTheRowsNearestToTheBoundaryComeFirst) {
  // All rows but for the sign lie in [1/2, 1), so that scores compare as they are.
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

}  // namespace
}  // namespace linsep

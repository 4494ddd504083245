#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "certify/coefficients/directions.h"
#include "certify/testing.h"
#include "core/random.h"
#include "linsep/comm.h"

namespace linsep {
namespace {

ExactRow row_of(const std::vector<int>& values, int scale = 1) {
  ExactRow row;
  row.scale = scale;
  for (std::uint32_t j = 0; j < values.size(); ++j) {
    if (values[j] == 0) continue;
    row.column.push_back(j);
    row.value.emplace_back(values[j]);
  }
  return row;
}

/// On the rows at zero x2 = 2·x0 − x1/3 and x3 = 0, while x4 is in no sum.
std::vector<Separability::Dependent> two_dependent() { return {{2, {{0, Rational(2)}, {1, ratio(-1, 3)}}}, {3, {}}}; }

TEST(DirectionSpace, WithoutRowsAtZeroItIsTheWholeSpace) {
  const DirectionSpace space(3, false, {});
  EXPECT_TRUE(space.whole());
  EXPECT_EQ(space.size(), 3U);
  EXPECT_EQ(space.lift({1, -2, 3}), (IntegerVector{1, -2, 3}));
  EXPECT_FALSE(space.fixed(1));
  EXPECT_EQ(space.rest(row_of({5, 0, -1})).column, (std::vector<std::uint32_t>{0, 2}));
}

TEST(DirectionSpace, ColumnsInNoSumAreFixed) {
  const DirectionSpace space(5, true, two_dependent());
  EXPECT_EQ(space.size(), 2U);
  EXPECT_EQ(space.free_columns(), (std::vector<std::uint32_t>{2, 3}));
  EXPECT_FALSE(space.fixed(0));
  EXPECT_FALSE(space.fixed(3));
  EXPECT_TRUE(space.fixed(4));
}

TEST(DirectionSpace, WhatIsLiftedIsZeroOnRowsAtZero) {
  const DirectionSpace space(5, true, two_dependent());
  const IntegerVector w = space.lift({5, 7});
  for (const auto& z : {row_of({3, 0, 6, 0, 4}), row_of({0, 3, -1, 0, 9}), row_of({1, 1, 0, 0, 0})}) {
    const bool at_zero = exact_dot(z, {2, 0, -1, 0, 0}) * 3 == exact_dot(z, {0, 1, 0, 0, 0});
    EXPECT_EQ(exact_dot(z, w) == 0, at_zero);
  }
}

TEST(DirectionSpace, RestsAndWeightsSayWhatLiftsDo) {
  const DirectionSpace space(5, true, two_dependent());
  Random random(5, 6);
  const auto drawn = [&] { return static_cast<int>(random.below(9)) - 4; };
  for (int i = 0; i < 200; ++i) {
    const ExactRow z = row_of({drawn(), drawn(), drawn(), drawn(), drawn()}, 1 + static_cast<int>(random.below(9)));
    const ExactRow rest = space.rest(z);
    for (std::size_t k = 0; k < 2; ++k) {  // lift is linear, so the rests of unit vectors are enough
      IntegerVector unit(2);
      unit[k] = 1;
      // lift(e_2) = (−6, 1, 3, 0, 0)/3 and lift(e_3) = e_3, up to their scales
      const IntegerVector column = k == 0 ? IntegerVector{-6, 1, 3, 0, 0} : IntegerVector{0, 0, 0, 1, 0};
      EXPECT_EQ(space.lift(unit), column);
      const Rational expected = Rational(exact_dot(z, column)) / z.scale / (k == 0 ? 3 : 1);
      EXPECT_EQ(Rational(exact_dot(rest, unit)) / rest.scale, expected);
    }
    const IntegerVector f{drawn(), drawn()};
    const IntegerVector w = space.lift(f);
    for (std::uint32_t j = 0; j < 4; ++j) {
      for (const int sign : {-1, 1}) {
        const ExactRow weight = space.weight_at(j, sign, -1);
        EXPECT_EQ(sign_of(exact_dot(weight, f)), sign * sign_of(w[j]));
      }
    }
  }
}

// Compares the passes over rows, and what is made of them, with the definition on drawn rows.

using testing::TenthRows;

Rational score(const std::vector<Rational>& z, const IntegerVector& w) {
  Rational sum = 0;
  for (std::size_t j = 0; j < z.size(); ++j) sum += z[j] * w[j];
  return sum;
}

DirectionScanOptions options_of(const TenthRows& set, bool origin, std::map<std::int64_t, ExactRow>& kept) {
  DirectionScanOptions options;
  options.scaling = testing::plain_scaling(set, origin);
  options.separated = [](std::int64_t) { return true; };
  options.read = [&set, &kept, space = options.scaling.space](const std::vector<std::int64_t>& rows) {
    std::vector<const ExactRow*> exact;
    for (const std::int64_t row : rows)
      exact.push_back(&kept.try_emplace(row, set.exact_row(row, space)).first->second);
    return exact;
  };
  return options;
}

IntegerVector drawn_weights(Random& random, std::size_t size) {
  IntegerVector w;
  for (std::size_t j = 0; j < size; ++j) w.emplace_back(static_cast<int>(random.below(7)) - 3);
  return w;
}

TEST(DirectionScan, NamesTheRowsOnTheWrongSideAndNoOther) {
  int directions = 0;
  int on_the_boundary = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const bool origin = seed % 2 == 0;
    const TenthRows set = testing::drawn_rows(seed, 5, 2, 4);
    Random random(3, seed);
    std::vector<IntegerVector> tried;
    for (int k = 0; k < 4; ++k) tried.push_back(drawn_weights(random, origin ? 2 : 3));
    std::map<std::int64_t, ExactRow> kept;
    DirectionScan scan(options_of(set, origin, kept), tried);
    const auto comm = solo();
    testing::run_once(scan, set, 0, set.rows(), 2, *comm);
    ASSERT_TRUE(scan.conclusive());
    for (std::size_t k = 0; k < tried.size(); ++k) {
      std::vector<std::int64_t> expected;
      for (std::size_t i = 0; i < set.rows(); ++i) {
        const Rational margin = score(set.z(i, origin), tried[k]);
        if (margin < 0) expected.push_back(static_cast<std::int64_t>(i));
        on_the_boundary += margin == 0 ? 1 : 0;
      }
      EXPECT_EQ(scan.violated(k).empty(), expected.empty()) << seed;
      for (const std::int64_t row : scan.violated(k)) {
        EXPECT_TRUE(std::binary_search(expected.begin(), expected.end(), row)) << seed;
      }
      directions += expected.empty() ? 1 : 0;
    }
  }
  EXPECT_GT(directions, 50);
  EXPECT_GT(on_the_boundary, 50);
}

TEST(ColumnSteps, KeepEveryRowOnItsSideAndChangeTheSign) {
  int with_step = 0;
  int without = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const bool origin = seed % 2 == 0;
    const TenthRows set = testing::drawn_rows(seed, 3, 3, 4);
    Random random(4, seed);
    const IntegerVector w = drawn_weights(random, origin ? 3 : 4);
    bool separates = true;
    for (std::size_t i = 0; i < set.rows(); ++i) separates = separates && score(set.z(i, origin), w) > 0;
    if (!separates) continue;
    std::map<std::int64_t, ExactRow> kept;
    DirectionScanOptions options = options_of(set, origin, kept);
    options.steps = true;
    DirectionScan scan(std::move(options), {w});
    const auto comm = solo();
    testing::run_once(scan, set, 0, set.rows(), 2, *comm);
    EXPECT_EQ(scan.nearest().size(), set.rows());
    const ColumnSteps steps = column_steps(w, scan.exponent(), scan.lower(), scan.upper());
    for (std::size_t i = 0; i < set.rows(); ++i) EXPECT_GT(score(set.z(i, origin), steps.base), 0) << seed;
    for (const auto& [column, step] : steps.step) {
      const Rational weight = step + steps.base[column];
      EXPECT_LT(sign_of(weight) * sign_of(steps.base[column]), 0) << seed;
      for (std::size_t i = 0; i < set.rows(); ++i) {
        const std::vector<Rational> z = set.z(i, origin);
        EXPECT_GE(score(z, steps.base) + z[column] * step, 0) << seed;
      }
    }
    with_step += static_cast<int>(steps.step.size());
    without += static_cast<int>(w.size() - steps.step.size());
    for (std::uint32_t j = 0; j < w.size(); ++j) {
      const bool has = std::any_of(steps.step.begin(), steps.step.end(), [&](const auto& s) { return s.first == j; });
      EXPECT_TRUE(has || w[j] != 0) << "a column without weight isn't determined, " << seed;
    }
  }
  EXPECT_GT(with_step, 100);
  EXPECT_GT(without, 100);
}

/// Rounds of sign peeling by the definition, until none makes a level. The rows that are left aren't separated.
std::vector<LevelSizes::Level> peel(const TenthRows& set, bool origin, std::vector<bool>& separated) {
  std::vector<LevelSizes::Level> levels;
  const auto z = set.all_z(origin);
  while (true) {
    LevelSizes::Level level;
    for (std::uint32_t j = 0; j < z.front().size(); ++j) {
      bool plus = false;
      bool minus = false;
      for (std::size_t i = 0; i < z.size(); ++i) {
        plus = plus || (!separated[i] && z[i][j] > 0);
        minus = minus || (!separated[i] && z[i][j] < 0);
      }
      if (plus != minus) level.emplace_back(j, plus ? 1 : -1);
    }
    if (level.empty()) return levels;
    for (std::size_t i = 0; i < z.size(); ++i) {
      for (const auto& [column, sign] : level) separated[i] = separated[i] || z[i][column] != 0;
    }
    levels.push_back(std::move(level));
  }
}

TEST(LevelSizes, OneVectorSeparatesWhatTheLevelsDo) {
  int several = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const bool origin = seed % 2 == 0;
    const TenthRows set = testing::drawn_rows(seed, 5, 5, 2);
    std::vector<bool> separated(set.rows(), false);
    const auto levels = peel(set, origin, separated);
    several += levels.size() > 1 ? 1 : 0;
    LevelSizes sizes(
        testing::plain_scaling(set, origin), [&](std::int64_t row) { return separated[static_cast<std::size_t>(row)]; },
        levels);
    const auto comm = solo();
    testing::run_once(sizes, set, 0, set.rows(), 2, *comm);
    const IntegerVector w = sizes.combined();
    ASSERT_FALSE(w.empty());
    for (std::size_t i = 0; i < set.rows(); ++i) {
      const Rational margin = score(set.z(i, origin), w);
      EXPECT_EQ(separated[i], margin > 0) << seed;
      EXPECT_TRUE(separated[i] || margin == 0) << seed;
    }
  }
  EXPECT_GT(several, 50);
}

}  // namespace

}  // namespace linsep

// The passes over rows, and what is made of them, against the definition on drawn rows.
#include "certify/coefficients/direction_scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "certify/coefficients/level_sizes.h"
#include "certify/coefficients/steps.h"
#include "certify/testing.h"
#include "core/random.h"
#include "linsep/comm.h"

namespace linsep {
namespace {

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
    ASSERT_TRUE(scan.told());
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

/// Rounds of sign peeling by the definition, until none makes a level; rows that are left aren't separated.
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

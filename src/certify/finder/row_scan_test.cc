// Compares RowScan with the signs of all margins over rationals.
#include "certify/finder/row_scan.h"

#include <gtest/gtest.h>

#include <numeric>

#include "certify/testing.h"

namespace linsep {
namespace {

using testing::TenthRows;

struct Fixture {
  const TenthRows& set;
  std::vector<double> weight;  ///< over the columns of z
  FinderState state;

  Fixture(const TenthRows& rows, bool origin, std::vector<double> w) : set(rows), weight(std::move(w)) {
    state.scaling = testing::plain_scaling(set, origin);
    state.options.written = [this](std::span<const std::int64_t> wanted) { return set.written(wanted); };
    for (std::size_t i = 0; i < set.rows(); ++i) state.rows.add(static_cast<std::int64_t>(i), set.label[i]);
  }
  Rational margin(std::size_t i) const {
    const std::vector<Rational> z = set.z(i, state.scaling.space.origin);
    Rational sum = 0;
    for (std::size_t j = 0; j < z.size(); ++j) sum += Rational(weight[j]) * z[j];
    return sum;
  }
  ScanWeights scan_weights() const {
    std::vector<std::uint32_t> column(weight.size());
    std::iota(column.begin(), column.end(), 0U);
    return state.scaling.scan_weights(column, weight, 0);
  }
  void scan(RowScan& rows, Comm& comm) {
    rows.begin(scan_weights());
    const testing::TenthBatch batch(set, 0, set.rows());
    for_each_row(batch.batch(), [&](const auto& x, std::int64_t i) {
      rows.look_at(x, i, [&](const auto& /*z*/, int sign, double score, double /*share*/) {
        EXPECT_EQ(sign, set.label[static_cast<std::size_t>(i)]);
        EXPECT_EQ(score > 0, margin(static_cast<std::size_t>(i)) > 0) << "what floats tell is so";
      });
    });
    rows.synchronise(comm);
  }
};

TEST(RowScan, TellsEveryMarginsSignOfDrawnSets) {
  int judged = 0, certain = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    Random random(76, seed);
    const bool origin = random.below(2) == 0;
    const auto features = static_cast<std::uint32_t>(1 + random.below(3));
    TenthRows set = testing::drawn_rows(seed, 1 + random.below(12), features, 2);
    std::vector<double> weight;
    for (std::uint32_t j = 0; j < features + (origin ? 0 : 1); ++j) {
      weight.push_back(static_cast<double>(random.below(5)) - 2);
    }
    if (!origin) weight.back() /= 10;  // rows as doubles that are at zero as decimals, or the other way round
    Fixture fixture(set, origin, weight);
    if (random.below(2) == 0) {  // no row on the wrong side, so that all open rows are judged
      for (std::size_t i = 0; i < set.rows(); ++i) {
        if (fixture.margin(i) < 0) set.label[i] = -set.label[i];
      }
    }
    Fixture rows(set, origin, weight);
    std::int64_t exactly = 0, positive = 0, negative = 0;
    RowScan scan(rows.state, [&](const ExactRow& z) {
      ++exactly;
      return rows.margin(static_cast<std::size_t>(z.row)) > 0 ? RowSide::kPositive : RowSide::kViolated;
    });
    const auto comm = solo();
    rows.scan(scan, *comm);
    std::vector<std::int64_t> wrong;
    for (std::size_t i = 0; i < set.rows(); ++i) {
      const Rational margin = rows.margin(i);
      ++(margin > 0 ? positive : negative);
      if (margin <= 0) wrong.push_back(static_cast<std::int64_t>(i));
      if (scan.negative() == 0 && exactly == 0) {
        EXPECT_LE(Rational(scan.least()), margin);
      }
    }
    if (scan.negative() == 0) {
      EXPECT_EQ(scan.positive(), positive);
      EXPECT_EQ(scan.violated(), wrong);
      EXPECT_EQ(scan.not_positive(), negative);
    } else {
      EXPECT_LE(scan.positive(), positive);
      EXPECT_LE(scan.not_positive(), negative);
    }
    judged += exactly > 0 ? 1 : 0;
    certain += scan.negative() > 0 ? 1 : 0;
  }
  EXPECT_GT(judged, 50);
  EXPECT_GT(certain, 50);
}

TEST(RowScan, LeavesOutRowsThatArePeeledOrAtZero) {
  const TenthRows set{{{5}, {6}, {7}}, {1, 1, 1}};
  Fixture rows(set, true, {1});
  rows.state.rows.peel(0);
  rows.state.rows.set_at_zero(2);
  RowScan scan(rows.state, [](const ExactRow&) { return RowSide::kViolated; });
  const auto comm = solo();
  rows.scan(scan, *comm);
  EXPECT_EQ(scan.positive(), 1);
  EXPECT_GT(scan.least(), 0.59);
  Separability found;
  scan.add_radius(found);
  ASSERT_FALSE(found.largest.empty());
  EXPECT_GE(found.radius_squared, ratio(36, 100));
  EXPECT_LT(found.radius_squared, ratio(37, 100));
}

TEST(RowScan, ARowJudgedToBeAtZeroStaysThere) {
  const TenthRows set{{{0, 1}, {5, 1}}, {1, 1}};
  Fixture rows(set, true, {1, 0});
  RowScan scan(rows.state, [](const ExactRow&) { return RowSide::kAtZero; });
  const auto comm = solo();
  rows.scan(scan, *comm);
  EXPECT_EQ(scan.positive(), 1);
  EXPECT_EQ(scan.not_positive(), 0);
  EXPECT_FALSE(rows.state.rows.undecided(0));
  EXPECT_TRUE(rows.state.rows.undecided(1));
}

TEST(RowScan, RowsBeyondTheRangeOfDoublesAreJudgedExactly) {
  TenthRows set{{{10}, {10}}, {1, -1}};
  Fixture rows(set, true, {1e300});
  rows.state.scaling.column_scale = {1e-200};  // scaled squares underflow
  int exactly = 0;
  RowScan scan(rows.state, [&](const ExactRow& z) {
    ++exactly;
    return z.row == 0 ? RowSide::kPositive : RowSide::kViolated;
  });
  const auto comm = solo();
  rows.scan(scan, *comm);
  EXPECT_EQ(exactly, 2);
  EXPECT_EQ(scan.positive(), 1);
  EXPECT_EQ(scan.violated(), (std::vector<std::int64_t>{1}));
}

}  // namespace
}  // namespace linsep

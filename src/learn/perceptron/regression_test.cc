#include <gtest/gtest.h>

#include <cmath>

#include "learn/testing.h"

namespace linsep {
namespace {

using testing::drive;
using testing::Packed;
using testing::regression;
using testing::Result;
using testing::Rows;
using testing::word;

using Numbers = std::vector<double>;

Rows two_points() { return {{{1}, {2}}, {2, 2}, {}}; }

TEST(Regression, CorrectsByTheResidualByHand) {
  // θ: 0 → (e = 2) 1 → (e = 0) 1 | → (e = 1) 1.5 → (e = −1) 0.5
  const Packed packed(two_points());
  const Result one = drive(*regression({{"origin", true}, {"rate", 0.5}}), packed.batch(), 1);
  EXPECT_EQ(one.model.theta, (Numbers{1}));
  EXPECT_EQ(one.history[0].residual, 4);
  const Result two = drive(*regression({{"origin", true}, {"rate", 0.5}}), packed.batch(), 2);
  EXPECT_EQ(two.model.theta, (Numbers{0.5}));
  EXPECT_EQ(two.history[1].residual, 2);
  EXPECT_TRUE(two.model.regression);
}

TEST(Regression, MovesTheOffsetAsWell) {
  // (θ, θ0): (0, 0) → (e = 2) (0.5, 0.5) → z = 1.5, e = 0.5: (0.75, 0.625)
  const Packed packed(two_points());
  const Result r = drive(*regression({{"rate", 0.25}}), packed.batch(), 1);
  EXPECT_EQ(r.model.theta, (Numbers{0.75}));
  EXPECT_EQ(r.model.offset, 0.625);
}

TEST(Regression, ThePrintedRuleCanOnlyPushOneWay) {
  // θ: 0 → 2² = 4 → z = 8, e = −6: 4 + 36·2
  const Packed packed(two_points());
  const Result r = drive(*regression({{"origin", true}, {"rate", 1.0}, {"rule", word("squared")}}), packed.batch(), 1);
  EXPECT_EQ(r.model.theta, (Numbers{76}));
  EXPECT_EQ(r.history[0].residual, 4 + 36);
}

TEST(Regression, StopsWhenTheSumOfSquaresIsSmall) {
  Rows line;
  for (int i = 0; i < 20; ++i) {
    line.x.push_back({i / 10.0});
    line.y.push_back(3 * i / 10.0 - 1);
  }
  const Packed packed(line);
  const Result r = drive(*regression({{"rate", 0.3}, {"residual-bound", 1e-6}}), packed.batch(), 1000);
  EXPECT_TRUE(r.converged);
  EXPECT_LE(*r.history.back().residual, 1e-6);
  EXPECT_GT(*r.history[r.history.size() - 2].residual, 1e-6);
  EXPECT_NEAR(r.model.theta[0], 3, 1e-2);
  EXPECT_NEAR(r.model.offset, -1, 1e-2);
}

TEST(Regression, AnExactFitNeedsNoBound) {
  const Packed packed({{{1}}, {2}, {}});
  const Result r = drive(*regression({{"rate", 0.5}}), packed.batch(), 100);
  EXPECT_TRUE(r.converged);
  EXPECT_EQ(r.history.size(), 2U);
}

TEST(Regression, AnOverflowLeavesTheLastSoundClassifier) {
  const Packed packed(two_points());
  const Result r = drive(*regression({{"rate", 100.0}}), packed.batch(), 1000);
  EXPECT_FALSE(r.converged);
  EXPECT_EQ(*r.history.back().residual, INFINITY);
  EXPECT_TRUE(std::isfinite(r.model.theta[0]));
  EXPECT_TRUE(std::isfinite(r.model.offset));
}

// The oracle is the rule written out, on numbers whose sums are exact.
TEST(Regression, AgreesWithTheRuleWrittenOut) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const Rows rows = testing::whole_rows(4, 3, seed);
    for (const bool squared : {false, true}) {
      Numbers theta(3);
      double offset = 0;
      for (int pass = 0; pass < 2; ++pass) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
          double z = offset;
          for (std::size_t j = 0; j < 3; ++j) z += theta[j] * rows.x[i][j];
          const double e = rows.y[i] - z;
          const double step = 0.0625 * (squared ? e * e : e);
          for (std::size_t j = 0; j < 3; ++j) theta[j] += step * rows.x[i][j];
          offset += step;
        }
      }
      const Packed packed(rows);
      const Result r =
          drive(*regression({{"rate", 0.0625}, {"rule", word(squared ? "squared" : "signed")}}), packed.batch(), 2);
      for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(r.model.theta[j], theta[j], 1e-9 * (1 + std::abs(theta[j])));
      EXPECT_NEAR(r.model.offset, offset, 1e-9 * (1 + std::abs(offset)));
    }
  }
}

}  // namespace
}  // namespace linsep

#include "learn/calibrate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/random.h"
#include "linsep/error.h"

namespace linsep {
namespace {

/// Scores on a coarse grid, so that many are equal. Labels follow a noisy rule, and weights are whole or broken, some
/// of them 0.
std::vector<ScoredRow> drawn_rows(std::uint64_t seed) {
  Random random(seed);
  std::vector<ScoredRow> rows(1 + random.below(40));
  const double grid = random.below(2) == 0 ? 2 : 64;
  for (ScoredRow& row : rows) {
    row.score = std::round(grid * random.normal()) / grid;
    row.label = row.score + random.normal() > 0.3 ? 1 : -1;
    if (seed % 3 == 0) row.weight = random.below(4) == 0 ? 0 : random.uniform() + 0.1;
  }
  rows.push_back({0.5, 1, 1});
  return rows;
}

struct Classes {
  double positive = 0, negative = 0;
  explicit Classes(const std::vector<ScoredRow>& rows) {
    for (const ScoredRow& row : rows) (row.label > 0 ? positive : negative) += row.weight;
  }
  double low() const { return 1 / (negative + 2); }
  double high() const { return (positive + 1) / (positive + 2); }
};

/// The function to be minimized, in long double, at a sigmoid, and its gradient.
struct Reference {
  long double value = 0, slope = 0, offset = 0;
  Reference(const std::vector<ScoredRow>& rows, long double a, long double b) {
    const Classes classes(rows);
    for (const ScoredRow& row : rows) {
      const long double f = a * row.score + b, t = row.label > 0 ? classes.high() : classes.low();
      value += row.weight * (std::max(f, 0.0L) + std::log1p(std::exp(-std::abs(f))) - t * f);
      const long double miss = row.weight * (1 / (1 + std::exp(-f)) - t);
      slope += miss * row.score;
      offset += miss;
    }
  }
};

TEST(Sigmoid, HasNoSlopeLeftToGoDown) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto rows = drawn_rows(seed);
    const Calibration fitted = fit_sigmoid(rows);
    const Reference at(rows, fitted.slope, fitted.offset);
    EXPECT_NEAR(static_cast<double>(at.offset), 0, 1e-9) << seed;
    EXPECT_NEAR(static_cast<double>(at.slope), 0, 1e-9) << seed;
  }
}

TEST(Sigmoid, IsNoWorseThanAnyOfAGrid) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto rows = drawn_rows(seed);
    const Calibration fitted = fit_sigmoid(rows);
    const long double reached = Reference(rows, fitted.slope, fitted.offset).value;
    for (int i = -40; i <= 40; ++i) {
      for (int j = -40; j <= 40; ++j) {
        EXPECT_LE(reached, Reference(rows, i * 0.25L, j * 0.25L).value + 1e-12L) << seed;
      }
    }
  }
}

TEST(Sigmoid, OfTwoScoresGoesThroughBothTargets) {
  const Calibration fitted = fit_sigmoid({{-1, -1, 1}, {3, 1, 1}, {3, 1, 1}});
  EXPECT_NEAR(positive_probability(fitted, -1), 1.0 / 3, 1e-12);
  EXPECT_NEAR(positive_probability(fitted, 3), 3.0 / 4, 1e-12);
}

TEST(Sigmoid, OfOneScoreHasNoSlope) {
  const Calibration fitted = fit_sigmoid({{2, 1, 1}, {2, 1, 1}, {2, -1, 1}});
  EXPECT_EQ(fitted.slope, 0);
  EXPECT_NEAR(positive_probability(fitted, 7), (3.0 / 4 * 2 + 1.0 / 3) / 3, 1e-12);
}

TEST(Sigmoid, OfOneClassStaysShortOfCertainty) {
  const Calibration fitted = fit_sigmoid({{1, 1, 1}, {2, 1, 1}, {3, 1, 1}});
  EXPECT_NEAR(positive_probability(fitted, 2), 4.0 / 5, 1e-9);
  EXPECT_NEAR(fitted.slope, 0, 1e-9);
}

TEST(Sigmoid, OfScoresTimesTwoHasHalfTheSlope) {
  auto rows = drawn_rows(7);
  const Calibration once = fit_sigmoid(rows);
  for (ScoredRow& row : rows) row.score *= 0x1p600;
  const Calibration twice = fit_sigmoid(rows);
  EXPECT_EQ(twice.slope, once.slope * 0x1p-600);
  EXPECT_EQ(twice.offset, once.offset);
}

/// The least-squares fit by its max–min formula. At a score it is the maximum, over all beginnings before it, of the
/// minimum, over all ends after it, of the mean in between (Barlow & Brunk, 1972).
double isotonic_at(std::vector<ScoredRow> rows, double score) {
  const Classes classes(rows);
  const auto share = [&](double from, double to) {
    double weight = 0, positive = 0;
    for (const ScoredRow& row : rows) {
      if (row.score < from || row.score > to) continue;
      weight += row.weight;
      if (row.label > 0) positive += row.weight;
    }
    return positive / weight;
  };
  double most = 0;
  for (const ScoredRow& first : rows) {
    if (first.score > score || first.weight == 0) continue;
    double least = 1;
    for (const ScoredRow& last : rows) {
      if (last.score >= score && last.weight > 0) least = std::min(least, share(first.score, last.score));
    }
    most = std::max(most, least);
  }
  return std::clamp(most, classes.low(), classes.high());
}

TEST(Isotonic, IsTheMaxMinFormulaAtEveryScore) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto rows = drawn_rows(seed);
    const Calibration fitted = fit_isotonic(rows);
    for (const ScoredRow& row : rows) {
      if (row.weight == 0) continue;
      EXPECT_NEAR(positive_probability(fitted, row.score), isotonic_at(rows, row.score), 1e-12) << seed;
    }
  }
}

TEST(Isotonic, HasKnotsThatAscendAndProbabilitiesThatNeverFall) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Calibration fitted = fit_isotonic(drawn_rows(seed));
    ASSERT_EQ(fitted.score.size(), fitted.probability.size());
    for (std::size_t i = 1; i < fitted.score.size(); ++i) {
      EXPECT_GT(fitted.score[i], fitted.score[i - 1]);
      EXPECT_GE(fitted.probability[i], fitted.probability[i - 1]);
    }
  }
}

TEST(Isotonic, NeverCallsAClassImpossible) {
  const Calibration fitted = fit_isotonic({{-2, -1, 1}, {-1, -1, 1}, {1, 1, 1}});
  EXPECT_DOUBLE_EQ(positive_probability(fitted, -5), 1.0 / 4);
  EXPECT_DOUBLE_EQ(positive_probability(fitted, 5), 2.0 / 3);
}

TEST(Calibration, DependsOnTheRowsNotOnTheirOrder) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    auto rows = drawn_rows(seed);
    const Calibration sigmoid = fit_sigmoid(rows), isotonic = fit_isotonic(rows);
    Random random(seed);
    for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[random.below(i)]);
    EXPECT_EQ(fit_sigmoid(rows), sigmoid);
    EXPECT_EQ(fit_isotonic(rows), isotonic);
  }
}

TEST(Calibration, CountsARowOfWeightTwoTwice) {
  for (std::uint64_t seed = 1; seed < 20; seed += 3) {
    auto twice = drawn_rows(seed), heavy = twice;
    heavy[0].weight = 2;
    twice.push_back(twice[0]);
    const Calibration a = fit_sigmoid(twice), b = fit_sigmoid(heavy);
    EXPECT_NEAR(a.slope, b.slope, 1e-9);
    EXPECT_NEAR(a.offset, b.offset, 1e-9);
    EXPECT_EQ(fit_isotonic(twice), fit_isotonic(heavy));
  }
}

TEST(Calibration, NeedsRowsAndFiniteScores) {
  EXPECT_THROW(fit_sigmoid({}), Error);
  EXPECT_THROW(fit_isotonic({{1, 1, 0}}), Error);
  EXPECT_THROW(fit_isotonic({{std::numeric_limits<double>::infinity(), 1, 1}}), Error);
  EXPECT_THROW(fit_sigmoid({{std::nan(""), 1, 1}}), Error);
}

}  // namespace
}  // namespace linsep

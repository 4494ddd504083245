#include <gtest/gtest.h>

#include <cmath>

#include "learn/testing.h"
#include "linsep/error.h"

namespace linsep {
namespace {

using testing::drive;
using testing::least_squares;
using testing::Packed;
using testing::Result;
using testing::Rows;
using testing::word;

using Numbers = std::vector<double>;
using LongNumbers = std::vector<long double>;

Result fit(const Rows& rows, const char* matrix, bool origin, Options more = {}, testing::Layout layout = {}) {
  const Packed packed(rows, layout);
  more["matrix"] = word(matrix);
  more["origin"] = origin;
  return drive(*least_squares(more), packed.batch(), 1000);
}

/// Solves A·t = b by elimination with pivoting.
LongNumbers solve(std::vector<LongNumbers> a, LongNumbers b) {
  const std::size_t m = b.size();
  for (std::size_t c = 0; c < m; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c; r < m; ++r) {
      if (std::abs(a[r][c]) > std::abs(a[pivot][c])) pivot = r;
    }
    std::swap(a[c], a[pivot]);
    std::swap(b[c], b[pivot]);
    for (std::size_t r = c + 1; r < m; ++r) {
      const long double factor = a[r][c] / a[c][c];
      for (std::size_t k = c; k < m; ++k) a[r][k] -= factor * a[c][k];
      b[r] -= factor * b[c];
    }
  }
  for (std::size_t c = m; c-- > 0;) {
    for (std::size_t k = c + 1; k < m; ++k) b[c] -= a[c][k] * b[k];
    b[c] /= a[c][c];
  }
  return b;
}

/// The oracle, which solves the normal equations of (x, 1), or of x through the origin, in long double. The last number
/// is θ0.
LongNumbers normal_equations(const Rows& rows, bool origin, double ridge = 0) {
  const std::size_t d = rows.features();
  const std::size_t m = origin ? d : d + 1;
  std::vector<LongNumbers> a(m, LongNumbers(m));
  LongNumbers b(m);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    LongNumbers x(rows.x[i].begin(), rows.x[i].end());
    if (!origin) x.push_back(1);
    const long double w = rows.w.empty() ? 1 : rows.w[i];
    for (std::size_t j = 0; j < m; ++j) {
      for (std::size_t k = 0; k < m; ++k) a[j][k] += w * x[j] * x[k];
      b[j] += w * x[j] * rows.y[i];
    }
  }
  for (std::size_t j = 0; j < d; ++j) a[j][j] += ridge;
  LongNumbers t = solve(a, b);
  if (origin) t.push_back(0);
  return t;
}

void expect_near(const Model& model, const LongNumbers& expected, double tolerance) {
  ASSERT_EQ(model.theta.size() + 1, expected.size());
  long double size = 0;
  for (const long double t : expected) size = std::max(size, std::abs(t));
  for (std::size_t j = 0; j < model.theta.size(); ++j) {
    EXPECT_NEAR(model.theta[j], static_cast<double>(expected[j]), tolerance * static_cast<double>(size));
  }
  EXPECT_NEAR(model.offset, static_cast<double>(expected.back()), tolerance * static_cast<double>(size));
}

TEST(LeastSquares, TheIdentityByHand) {
  // n⊕μ⊕ − n⊖μ⊖ = (4, 4) − (−1, 0).
  const Rows rows{{{1, 2}, {3, 2}, {-1, 0}}, {1, 1, -1}, {}};
  const Result printed = fit(rows, "identity", true);
  EXPECT_EQ(printed.model.theta, (Numbers{5, 4}));
  EXPECT_EQ(printed.model.offset, 0);
  EXPECT_EQ(printed.history.size(), 1U);
  // Centered, it is 2·2·1/3 times the difference of the means (3, 2), with its threshold at (0.5, 1).
  const Result centred = fit(rows, "identity", false);
  EXPECT_NEAR(centred.model.theta[0], 4, 1e-15);
  EXPECT_NEAR(centred.model.theta[1], 8.0 / 3, 1e-15);
  EXPECT_NEAR(centred.model.offset, -14.0 / 3, 1e-14);
}

TEST(LeastSquares, TheDiagonalByHand) {
  const Rows rows{{{1, 2}, {3, 2}, {-1, 0}}, {1, 1, -1}, {}};
  EXPECT_EQ(fit(rows, "diagonal", true).model.theta, (Numbers{5.0 / 11, 4.0 / 8}));
  // About the means (1, 4/3) the scatter is 8 and 8/3.
  const Model centred = fit(rows, "diagonal", false).model;
  EXPECT_NEAR(centred.theta[0], 0.5, 1e-15);
  EXPECT_NEAR(centred.theta[1], 1, 1e-15);
  EXPECT_NEAR(centred.offset, -1.25, 1e-15);
}

TEST(LeastSquares, TheWholeMatrixByHand) {
  // Through (−1,0)− and (1,0)+, with x2 varying separately. θ = (1, 0), θ0 = 0 fits exactly.
  const Rows rows{{{-1, 0}, {1, 0}, {1, 1}, {-1, -1}}, {-1, 1, 1, -1}, {}};
  for (const char* matrix : {"full", "cg", "auto"}) {
    for (const bool origin : {true, false}) {
      const Model model = fit(rows, matrix, origin).model;
      EXPECT_NEAR(model.theta[0], 1, 1e-12);
      EXPECT_NEAR(model.theta[1], 0, 1e-12);
      EXPECT_NEAR(model.offset, 0, 1e-12);
    }
  }
}

TEST(LeastSquares, AgreesWithTheNormalEquations) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(9, seed);
    const std::size_t d = 1 + random.below(8);
    Rows rows = testing::real_rows(d + 10 + random.below(30), d, seed);
    if (seed % 3 == 0) {
      for (std::size_t i = 0; i < rows.size(); ++i) rows.w.push_back(random.uniform() + 0.1);
    }
    const bool origin = seed % 2 == 0;
    const double ridge = seed % 5 == 0 ? 0.7 : 0;
    const LongNumbers expected = normal_equations(rows, origin, ridge);
    expect_near(fit(rows, "full", origin, {{"ridge", ridge}}).model, expected, 1e-10);
    const Result cg = fit(rows, "cg", origin, {{"ridge", ridge}, {"tolerance", 1e-12}});
    EXPECT_TRUE(cg.converged);
    expect_near(cg.model, expected, 1e-8);
  }
}

TEST(LeastSquares, TheDiagonalAgreesWithItsFormula) {
  const Rows rows = testing::real_rows(50, 4, 3);
  const Model model = fit(rows, "diagonal", false, {{"ridge", 0.25}}).model;
  long double offset = 0;
  for (std::size_t j = 0; j < 4; ++j) {
    long double n[2] = {}, mean[2] = {}, all = 0, square = 0, b = 0, label = 0;
    for (std::size_t i = 0; i < 50; ++i) {
      const std::size_t c = rows.y[i] > 0 ? 1 : 0;
      n[c] += 1;
      mean[c] += rows.x[i][j];
      all += rows.x[i][j] / 50;
      label += rows.y[i] / 50;
    }
    for (std::size_t i = 0; i < 50; ++i) {
      square += (rows.x[i][j] - all) * (rows.x[i][j] - all);
      b += (rows.x[i][j] - all) * (rows.y[i] - label);
    }
    const long double theta = b / (square + 0.25L);
    EXPECT_NEAR(model.theta[j], static_cast<double>(theta), 1e-12);
    offset -= theta * (mean[0] / n[0] + mean[1] / n[1]) / 2;
  }
  EXPECT_NEAR(model.offset, static_cast<double>(offset), 1e-12);
}

TEST(LeastSquares, EqualFeaturesShareTheirWeight) {
  Rows rows = testing::real_rows(30, 2, 4);
  for (auto& x : rows.x) x.push_back(x[0]);
  const Rows narrow = testing::real_rows(30, 2, 4);
  const LongNumbers expected = normal_equations(narrow, false);
  for (const char* matrix : {"full", "cg"}) {
    const Model model = fit(rows, matrix, false, {{"tolerance", 1e-12}}).model;
    EXPECT_NEAR(model.theta[0], static_cast<double>(expected[0] / 2), 1e-8);
    EXPECT_NEAR(model.theta[2], static_cast<double>(expected[0] / 2), 1e-8);
    EXPECT_NEAR(model.theta[1], static_cast<double>(expected[1]), 1e-8);
    EXPECT_NEAR(model.offset, static_cast<double>(expected[2]), 1e-8);
  }
}

// There are more features than rows. The fit is exact, and has the smallest norm because θ is a mixture of centered
// rows, θ = Xᵀ·a.
TEST(LeastSquares, OfManyFitsTakesTheShortest) {
  for (const bool origin : {true, false}) {
    const Rows rows = testing::real_rows(8, 20, 5);
    // The smallest norm by the oracle: K·a = y with K the Gram matrix of (centered) rows. Centered, it is singular, so
    // one row is dropped, whose equation follows from the others.
    const std::size_t n = rows.size();
    std::vector<LongNumbers> x(n, LongNumbers(20));
    LongNumbers mean(20), y(n);
    long double label = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < 20; ++j) mean[j] += origin ? 0.0L : rows.x[i][j] / static_cast<long double>(n);
      label += origin ? 0.0L : rows.y[i] / static_cast<long double>(n);
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < 20; ++j) x[i][j] = rows.x[i][j] - mean[j];
      y[i] = rows.y[i] - label;
    }
    const std::size_t m = origin ? n : n - 1;
    std::vector<LongNumbers> gram(m, LongNumbers(m));
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t k = 0; k < m; ++k) {
        for (std::size_t j = 0; j < 20; ++j) gram[i][k] += x[i][j] * x[k][j];
      }
    }
    const LongNumbers a = solve(gram, LongNumbers(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(m)));
    LongNumbers expected(21);
    for (std::size_t j = 0; j < 20; ++j) {
      for (std::size_t i = 0; i < m; ++i) expected[j] += a[i] * x[i][j];
    }
    expected[20] = label;
    for (std::size_t j = 0; j < 20; ++j) expected[20] -= expected[j] * mean[j];
    expect_near(fit(rows, "full", origin).model, expected, 1e-9);
    expect_near(fit(rows, "cg", origin, {{"tolerance", 1e-12}}).model, expected, 1e-8);
  }
}

TEST(LeastSquares, UnitsOfAFeatureDontMatter) {
  Rows rows = testing::real_rows(40, 3, 6);
  const Model before = fit(rows, "full", false).model;
  for (auto& x : rows.x) {
    x[0] *= 0x1p40;
    x[1] *= 0x1p-40;
  }
  const Model after = fit(rows, "full", false).model;
  EXPECT_NEAR(after.theta[0] * 0x1p40, before.theta[0], 1e-12);
  EXPECT_NEAR(after.theta[1] * 0x1p-40, before.theta[1], 1e-12);
  EXPECT_NEAR(after.theta[2], before.theta[2], 1e-12);
}

TEST(LeastSquares, AConstantFeatureWeighsNothing) {
  Rows rows = testing::real_rows(40, 2, 7);
  for (auto& x : rows.x) x.push_back(0.1);
  for (const char* matrix : {"full", "diagonal"}) EXPECT_EQ(fit(rows, matrix, false).model.theta[2], 0);
}

TEST(LeastSquares, ARowOfWeightTwoIsTwoRows) {
  Rows weighted = testing::whole_rows(20, 3, 8);
  Rows repeated = weighted;
  weighted.w.assign(20, 1);
  for (std::size_t i = 0; i < 5; ++i) {
    weighted.w[i] = 2;
    repeated.x.push_back(weighted.x[i]);
    repeated.y.push_back(weighted.y[i]);
  }
  for (const char* matrix : {"identity", "diagonal", "full", "cg"}) {
    const Model a = fit(weighted, matrix, false).model;
    const Model b = fit(repeated, matrix, false).model;
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(a.theta[j], b.theta[j], 1e-9);
    EXPECT_NEAR(a.offset, b.offset, 1e-9);
  }
}

TEST(LeastSquares, OneClassIsAFitButHasNoThresholdBetweenMeans) {
  const Rows rows{{{1, 2}, {3, 5}}, {1, 1}, {}};
  for (const char* matrix : {"full", "cg"}) {
    const Result r = fit(rows, matrix, false);
    EXPECT_TRUE(r.converged);
    EXPECT_EQ(r.model.theta, (Numbers{0, 0}));
    EXPECT_EQ(r.model.offset, 1);
  }
  EXPECT_THROW(fit(rows, "identity", false), Error);
  EXPECT_THROW(fit(rows, "diagonal", false), Error);
  EXPECT_THROW(fit({}, "full", false), Error);
}

TEST(LeastSquares, ConjugateGradientsReportTheResidualTheyStopOn) {
  const Rows rows = testing::real_rows(50, 6, 9);
  const Result r = fit(rows, "cg", false, {{"tolerance", 1e-6}});
  EXPECT_TRUE(r.converged);
  EXPECT_EQ(r.history.front().residual, 1);
  EXPECT_LE(*r.history.back().residual, 1e-6);
  EXPECT_LE(r.history.size(), 9U);
}

// With auto, a stream that turns out to have more than 2,000 features is continued by conjugate gradients.
TEST(LeastSquares, AutoTakesTheMatrixOnlyForFewFeatures) {
  Rows narrow = testing::whole_rows(30, 3, 10);
  EXPECT_EQ(fit(narrow, "auto", false).history.size(), 1U);
  Rows wide = narrow;
  for (auto& x : wide.x) x.resize(2001);
  const testing::Layout sparse{.dense = false, .is_float = false};
  const Result known = fit(wide, "auto", false, {}, sparse);
  EXPECT_GT(known.history.size(), 1U);
  const Packed packed(wide, sparse);
  auto batches = testing::pieces(packed.batch(), 10);
  batches[0].features = batches[1].features = 3;
  const Result stream = drive(*least_squares(), {-1, 0, -1}, batches, 1000, *solo());
  EXPECT_EQ(stream.model, known.model);
  EXPECT_THROW(drive(*least_squares({{"matrix", word("full")}}), {-1, 40000, -1}, {}, 1, *solo()), Error);
}

}  // namespace
}  // namespace linsep

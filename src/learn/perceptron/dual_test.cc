#include <gtest/gtest.h>

#include <cmath>

#include "learn/testing.h"

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

Rows xor_gate() { return {{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, {-1, 1, 1, -1}, {}}; }

void expect_same_as_primal(const Rows& rows, const Options& options) {
  const Packed packed(rows);
  const Result primal = drive(*perceptron(options), packed.batch());
  const Result dual_form = drive(*dual(options), packed.batch());
  EXPECT_EQ(dual_form.stats.mistakes, primal.stats.mistakes);
  EXPECT_EQ(dual_form.stats.mistakes_by_row, primal.stats.mistakes_by_row);
  EXPECT_EQ(dual_form.model.theta, primal.model.theta);
  EXPECT_EQ(dual_form.model.offset, primal.model.offset);
  EXPECT_EQ(dual_form.converged, primal.converged);
  EXPECT_EQ(dual_form.history.size(), primal.history.size());
}

TEST(DualPerceptron, IsThePrimalOnTheWorkedExamples) {
  for (const bool origin : {true, false}) {
    const Options options = {{"origin", origin}};
    expect_same_as_primal({{{-1, -1}, {1, 0}, {-1, 1.5}}, {1, -1, 1}, {}}, options);
    expect_same_as_primal({{{-1, -1}, {1, 0}, {-1, 10}}, {1, -1, 1}, {}}, options);
    expect_same_as_primal({{{1, 0}, {-1, 10}, {-1, -1}}, {-1, 1, 1}, {}}, options);
    expect_same_as_primal({{{0}, {1}}, {1, -1}, {}}, options);
    expect_same_as_primal({{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, {-1, -1, -1, 1}, {}}, options);
    expect_same_as_primal({{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, {-1, 1, 1, 1}, {}}, options);
    expect_same_as_primal(xor_gate(), options);
    expect_same_as_primal({{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 1}}, {-1, 1, 1, -1}, {}}, options);
  }
}

TEST(DualPerceptron, LearnsExclusiveOrWithEitherKernel) {
  for (const char* kernel : {"polynomial", "gaussian"}) {
    const Packed packed(xor_gate());
    const Result r = drive(*dual({{"kernel", word(kernel)}}), packed.batch());
    EXPECT_TRUE(r.converged) << kernel;
    EXPECT_EQ(r.model.form, Model::Form::kDual);
    EXPECT_TRUE(r.model.theta.empty());
    Numbers z(4);
    score(r.model, packed.batch(), z);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_GT(xor_gate().y[i] * z[i], 0);
  }
}

TEST(DualPerceptron, KeepsTheRowsItErredOnWithTheirCounts) {
  const Packed packed({{{-1, -1}, {1, 0}, {-1, 10}}, {1, -1, 1}, {}});
  const Result r =
      drive(*dual({{"kernel", word("polynomial")}, {"degree", std::int64_t{1}}, {"constant", 0.0}, {"origin", true}}),
            packed.batch());
  EXPECT_EQ(r.stats.mistakes_by_row, (Counts{5, 0, 1}));
  EXPECT_EQ(r.model.kept.size(), 2U);
  EXPECT_EQ(r.model.coefficient, (Numbers{5, 1}));
  EXPECT_EQ(r.model.kept.value, (Numbers{-1, -1, -1, 10}));
}

// (x·x′ + 1)² is the product of suitably scaled features. A run with the kernel is a run on those features.
TEST(DualPerceptron, APolynomialKernelIsAMapOfFeatures) {
  const Rows rows = testing::whole_rows(12, 2, 3);
  Rows mapped;
  mapped.y = rows.y;
  for (const auto& x : rows.x) {
    // x² and similar features have whole coefficients only if √2 is spread over two equal features.
    mapped.x.push_back({x[0], x[0], x[1], x[1], x[0] * x[0], x[0] * x[1], x[0] * x[1], x[1] * x[1], 1});
  }
  const Packed raw(rows);
  const Packed wide(mapped);
  const Result kernel = drive(*dual({{"kernel", word("polynomial")}}), raw.batch(), 50);
  const Result primal = drive(*perceptron(), wide.batch(), 50);
  EXPECT_EQ(kernel.stats.mistakes_by_row, primal.stats.mistakes_by_row);
}

TEST(DualPerceptron, TheCacheChangesNothing) {
  const Packed packed(testing::real_rows(60, 5, 8));
  for (const char* kernel : {"linear", "polynomial", "gaussian"}) {
    Options options = {{"kernel", word(kernel)}};
    const Result all = drive(*dual(options), packed.batch(), 30);
    for (const double cache : {0.0, 0.002, 0.01}) {
      options["gram-cache"] = cache;
      const Result some = drive(*dual(options), packed.batch(), 30);
      EXPECT_EQ(some.model, all.model);
      EXPECT_EQ(some.stats.mistakes_by_row, all.stats.mistakes_by_row);
    }
  }
}

// The oracle uses the whole Gram matrix, and sums every score anew.
TEST(DualPerceptron, AgreesWithAGramMatrix) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    const Rows rows = testing::real_rows(25, 3, seed);
    const std::size_t n = rows.size();
    Counts alpha(n);
    double offset = 0;
    bool converged = false;
    for (int pass = 0; pass < 20 && !converged; ++pass) {
      converged = true;
      for (std::size_t i = 0; i < n; ++i) {
        double z = offset;
        for (std::size_t j = 0; j < n; ++j) {
          double distance = 0;
          for (std::size_t k = 0; k < 3; ++k) distance += (rows.x[i][k] - rows.x[j][k]) * (rows.x[i][k] - rows.x[j][k]);
          z += static_cast<double>(alpha[j]) * rows.y[j] * std::exp(-0.5 * distance);
        }
        if (rows.y[i] * z > 0) continue;
        ++alpha[i];
        offset += rows.y[i];
        converged = false;
      }
    }
    const Packed packed(rows);
    const Result r = drive(*dual({{"kernel", word("gaussian")}, {"gamma", 0.5}}), packed.batch(), 20);
    EXPECT_EQ(r.stats.mistakes_by_row, alpha);
    EXPECT_EQ(r.model.offset, offset);
    EXPECT_EQ(r.converged, converged);
  }
}

TEST(DualPerceptron, AConvergedRunLeavesAModelWithoutMistakes) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Rows rows = testing::real_rows(40, 3, seed);
    const Packed packed(rows);
    const Result r = drive(*dual({{"kernel", word("gaussian")}}), packed.batch(), 200);
    ASSERT_TRUE(r.converged);
    Numbers z(rows.size());
    score(r.model, packed.batch(), z);
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_GT(rows.y[i] * z[i], 0);
  }
}

TEST(DualPerceptron, GrowsWithAStreamThatIsReadTwice) {
  const Packed packed(testing::whole_rows(20, 3, 1), {.dense = false, .is_float = true});
  const Result known = drive(*dual(), packed.batch(), 5);
  const Result stream = drive(*dual(), {-1, 0, -1}, testing::pieces(packed.batch(), 3), 5, *solo());
  EXPECT_EQ(stream.model, known.model);
  EXPECT_EQ(stream.stats.mistakes_by_row, known.stats.mistakes_by_row);
}

}  // namespace
}  // namespace linsep

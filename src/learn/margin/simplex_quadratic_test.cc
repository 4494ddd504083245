// The interior-point method on a simplex against every point of a grid.
#include "learn/margin/simplex_quadratic.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"

namespace linsep {
namespace {

struct Problem {
  std::vector<double> gram, beta;

  double value(const std::vector<double>& lambda) const {
    double value = 0;
    for (std::size_t a = 0; a < beta.size(); ++a) {
      value += lambda[a] * beta[a];
      for (std::size_t b = 0; b < beta.size(); ++b) value -= lambda[a] * lambda[b] * gram[a * beta.size() + b] / 2;
    }
    return value;
  }
};

/// G = AAᵀ of vectors with coordinates of sizes 10^±decades.
Problem drawn(std::uint64_t seed, std::size_t size, std::size_t dimension, double decades) {
  Random random(seed);
  std::vector<std::vector<double>> rows(size, std::vector<double>(dimension));
  Problem problem;
  for (auto& row : rows) {
    for (std::size_t j = 0; j < dimension; ++j) {
      const double part = dimension == 1 ? 0.5 : static_cast<double>(j) / static_cast<double>(dimension - 1);
      row[j] = random.normal() * std::pow(10, decades * (2 * part - 1));
    }
    problem.beta.push_back(random.normal());
  }
  for (const auto& a : rows) {
    for (const auto& b : rows) {
      double sum = 0;
      for (std::size_t j = 0; j < dimension; ++j) sum += a[j] * b[j];
      problem.gram.push_back(sum);
    }
  }
  return problem;
}

void expect_on_simplex(const std::vector<double>& lambda) {
  double sum = 0;
  for (const double x : lambda) {
    EXPECT_GE(x, 0);
    sum += x;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(SimplexQuadratic, NoPointOfAGridIsBetter) {
  constexpr int kParts = 60;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Problem problem = drawn(seed, 3, 1 + seed % 3, 0);
    std::vector<double> lambda = {1, 0, 0};
    ASSERT_TRUE(solve_on_simplex(problem.gram, problem.beta, 1e-7, lambda)) << seed;
    expect_on_simplex(lambda);
    const double value = problem.value(lambda);
    for (int i = 0; i <= kParts; ++i) {
      for (int j = 0; i + j <= kParts; ++j) {
        const double a = static_cast<double>(i) / kParts, b = static_cast<double>(j) / kParts;
        EXPECT_LE(problem.value({a, b, 1 - a - b}), value + 2e-7);
      }
    }
  }
}

TEST(SimplexQuadratic, LargeAndBadlyScaledProblemsAreSolvedToTheTolerance) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Problem problem = drawn(seed, 61, 11, 3);
    std::vector<double> lambda(61, 0);
    lambda[0] = 1;
    EXPECT_TRUE(solve_on_simplex(problem.gram, problem.beta, 1e-5, lambda)) << seed;
    expect_on_simplex(lambda);
    EXPECT_LE(left_on_simplex(problem.gram, problem.beta, lambda), 1e-5);
  }
}

TEST(SimplexQuadratic, WhereRoundingIsTooGreatItSaysSoAndIsNoWorseThanBefore) {
  const Problem problem = drawn(1, 61, 11, 12);
  std::vector<double> lambda(61, 0);
  lambda[60] = 1;
  const double before = left_on_simplex(problem.gram, problem.beta, lambda);
  EXPECT_FALSE(solve_on_simplex(problem.gram, problem.beta, 1e-9, lambda));
  expect_on_simplex(lambda);
  EXPECT_LE(left_on_simplex(problem.gram, problem.beta, lambda), before);
}

}  // namespace
}  // namespace linsep

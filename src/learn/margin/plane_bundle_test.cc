// PlaneBundle against the dual's best value by trying every set of planes that may count.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/random.h"
#include "learn/margin/plane_bundle.h"

namespace linsep {
namespace {

struct Planes {
  std::vector<std::vector<double>> g;
  std::vector<double> beta;
};

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

/// ½‖θ‖² + the highest plane at θ, or 0 where all lie below.
double primal(const Planes& planes, const std::vector<double>& theta) {
  double highest = 0;
  for (std::size_t k = 0; k < planes.g.size(); ++k) {
    highest = std::max(highest, planes.beta[k] - product(planes.g[k], theta));
  }
  return product(theta, theta) / 2 + highest;
}

/// Solves A·x = b by elimination with pivots; nothing where A is singular.
std::optional<std::vector<double>> solved(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t size = b.size();
  for (std::size_t c = 0; c < size; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c + 1; r < size; ++r) {
      if (std::fabs(a[r][c]) > std::fabs(a[pivot][c])) pivot = r;
    }
    if (std::fabs(a[pivot][c]) < 1e-9) return std::nullopt;
    std::swap(a[pivot], a[c]);
    std::swap(b[pivot], b[c]);
    for (std::size_t r = 0; r < size; ++r) {
      if (r == c) continue;
      const double factor = a[r][c] / a[c][c];
      for (std::size_t j = c; j < size; ++j) a[r][j] -= factor * a[c][j];
      b[r] -= factor * b[c];
    }
  }
  for (std::size_t c = 0; c < size; ++c) b[c] /= a[c][c];
  return b;
}

/// max over λ ≥ 0, Σλ ≤ 1 of Σ λ_k β_k − ½‖Σ λ_k g_k‖²: for every set of planes, the stationary point with Σλ = 1 and
/// that without the constraint, where they are feasible.
double best_dual(const Planes& planes) {
  const std::size_t count = planes.g.size();
  double best = 0;
  for (std::size_t chosen = 1; chosen < (std::size_t{1} << count); ++chosen) {
    std::vector<std::size_t> in;
    for (std::size_t k = 0; k < count; ++k) {
      if (((chosen >> k) & 1) != 0) in.push_back(k);
    }
    for (const bool tight : {false, true}) {
      const std::size_t size = in.size() + (tight ? 1 : 0);
      std::vector<std::vector<double>> a(size, std::vector<double>(size, 1));
      std::vector<double> b(size, 1);
      for (std::size_t r = 0; r < in.size(); ++r) {
        for (std::size_t c = 0; c < in.size(); ++c) a[r][c] = product(planes.g[in[r]], planes.g[in[c]]);
        b[r] = planes.beta[in[r]];
      }
      if (tight) a[size - 1][size - 1] = 0;
      const auto lambda = solved(a, b);
      if (!lambda) continue;
      double sum = 0, value = 0;
      bool feasible = true;
      std::vector<double> theta(planes.g.front().size(), 0);
      for (std::size_t r = 0; r < in.size(); ++r) {
        feasible = feasible && (*lambda)[r] >= -1e-12;
        sum += (*lambda)[r];
        value += (*lambda)[r] * planes.beta[in[r]];
        for (std::size_t j = 0; j < theta.size(); ++j) theta[j] += (*lambda)[r] * planes.g[in[r]][j];
      }
      if (feasible && sum <= 1 + 1e-12) best = std::max(best, value - product(theta, theta) / 2);
    }
  }
  return best;
}

Planes drawn_planes(std::uint64_t seed) {
  Random random(81, seed);
  Planes planes;
  const std::size_t features = 1 + random.below(3);
  const std::size_t count = 1 + random.below(5);
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<double> g;
    for (std::size_t j = 0; j < features; ++j) g.push_back(random.normal());
    planes.g.push_back(std::move(g));
    planes.beta.push_back(random.normal() + (seed % 2 == 0 ? 0.5 : 0));
  }
  return planes;
}

void fill(PlaneBundle& bundle, const Planes& planes, Comm& comm, double tolerance) {
  bundle.begin(planes.g.front().size());
  for (std::size_t k = 0; k < planes.g.size(); ++k) {
    bundle.add(planes.g[k], planes.beta[k], 0.25, comm);
    bundle.solve(tolerance);
  }
}

TEST(PlaneBundle, FindsTheLeastPointOfDrawnPlanes) {
  int whole = 0, none = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const Planes planes = drawn_planes(seed);
    const auto comm = solo();
    PlaneBundle bundle;
    fill(bundle, planes, *comm, 1e-10);
    const std::vector<double> theta = bundle.theta(*comm);
    const double dual = bundle.beta() - product(theta, theta) / 2;
    EXPECT_NEAR(dual, best_dual(planes), 1e-8);
    EXPECT_NEAR(primal(planes, theta), dual, 1e-8) << "no θ is better, for the planes lie below the risk";
    EXPECT_LE(bundle.imbalance(), 0.25) << "Σλ ≤ 1";
    whole += bundle.imbalance() > 0.2499 ? 1 : 0;
    none += bundle.imbalance() == 0 ? 1 : 0;
  }
  EXPECT_GT(whole, 20) << "Σλ = 1 occurs";
  EXPECT_GT(none, 20) << "λ = 0 occurs";
}

TEST(PlaneBundle, AToleranceBoundsWhatIsLeft) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Planes planes = drawn_planes(seed);
    const auto comm = solo();
    PlaneBundle bundle;
    fill(bundle, planes, *comm, 0.1);
    const std::vector<double> theta = bundle.theta(*comm);
    const double dual = bundle.beta() - product(theta, theta) / 2;
    EXPECT_LE(dual, best_dual(planes) + 1e-12);
    EXPECT_LE(primal(planes, theta) - dual, 0.1 + 1e-12);
  }
}

// Bounds that come from a damaged state may lie the wrong way round.
TEST(PlaneBundle, AToleranceBelowZeroLosesNoMass) {
  const auto comm = solo();
  PlaneBundle bundle;
  bundle.begin(1);
  bundle.add(std::vector<double>{1}, 2, 0.25, *comm);
  EXPECT_TRUE(bundle.solve(-1));
  EXPECT_NEAR(bundle.theta(*comm)[0], 1, 1e-9);
}

TEST(PlaneBundle, OfVeryDifferentCoordinatesIsSolvedAtOnceWhereStepsRunOut) {
  const auto comm = solo();
  PlaneBundle bundle;
  bundle.begin(8);
  Random random(5);
  Planes planes;
  for (int k = 0; k < 30; ++k) {  // coordinates from 1e-4 to 1e4
    std::vector<double> g;
    for (int j = 0; j < 8; ++j) g.push_back((random.normal() + 0.5) * std::pow(10, 8.0 * j / 7 - 4));
    planes.g.push_back(g);
    planes.beta.push_back(1 + random.uniform());
    bundle.add(planes.g.back(), planes.beta.back(), 0, *comm);
    EXPECT_TRUE(bundle.solve(1e-4));
  }
  EXPECT_TRUE(bundle.exhausted());
  const std::vector<double> theta = bundle.theta(*comm);
  EXPECT_NEAR(primal(planes, theta), bundle.beta() - product(theta, theta) / 2, 2e-4);
}

TEST(PlaneBundle, ForgetsIdlePlanesAndNothingElse) {
  const auto comm = solo();
  PlaneBundle bundle;
  bundle.begin(1);
  Planes planes;
  for (int k = 0; k < 100; ++k) {  // each is higher than the one before, so that only the last counts
    planes.g.push_back({1});
    planes.beta.push_back(2 + 0.01 * k);
    bundle.add(planes.g.back(), planes.beta.back(), 0, *comm);
    bundle.solve(1e-12);
  }
  EXPECT_EQ(bundle.size(), 60U);
  const std::vector<double> theta = bundle.theta(*comm);
  EXPECT_NEAR(theta[0], 1, 1e-9);
  EXPECT_NEAR(primal(planes, theta), bundle.beta() - 0.5 * theta[0] * theta[0], 1e-9);
}

TEST(PlaneBundle, IsTheSameOnSeveralWorkersAndFromASavedState) {
  // More features than a block, so that workers have shares.
  Planes planes;
  Random random(82);
  for (int k = 0; k < 6; ++k) {
    std::vector<double> g;
    for (int j = 0; j < 5000; ++j) g.push_back(random.normal() / 50);
    planes.g.push_back(std::move(g));
    planes.beta.push_back(random.normal() + 1);
  }
  const auto one = solo();
  PlaneBundle alone;
  fill(alone, planes, *one, 1e-10);
  const std::vector<double> theta = alone.theta(*one);
  ASSERT_GT(product(theta, theta), 0);
  run_threads(3, [&](Comm& comm) {
    PlaneBundle bundle;
    fill(bundle, planes, comm, 1e-10);
    ByteWriter writer;
    bundle.save(writer);
    PlaneBundle again;
    again.begin(theta.size());
    ByteReader reader(writer.bytes());
    again.load(reader);
    reader.end();
    EXPECT_EQ(bundle.theta(comm), theta);
    EXPECT_EQ(again.theta(comm), theta);
    EXPECT_EQ(again.beta(), alone.beta());
  });
}

}  // namespace

// The interior-point method on a simplex against every point of a grid.

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

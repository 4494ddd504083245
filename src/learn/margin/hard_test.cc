// The hard margin against a slow oracle on drawn sets, and on sets solved by hand.
#include "learn/margin/hard.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "learn/margin/hard_reference.h"
#include "learn/margin/solvers.h"
#include "learn/testing.h"
#include "linsep/comm.h"
#include "linsep/error.h"

namespace linsep {
namespace {

using testing::drive;
using testing::Layout;
using testing::Packed;
using testing::Result;
using testing::Rows;

enum class Method { kNearest, kDescent, kGathered };

struct Settings {
  bool origin = false;
  double gap = 1e-3;
  int threads = 1;
};

std::unique_ptr<Learner> make(Method method, const Settings& given) {
  const SolverEntry& solver = method == Method::kGathered  ? hard_gathered_solver()
                              : method == Method::kNearest ? hard_nearest_solver()
                                                           : hard_descent_solver();
  return solver.make({.origin = given.origin, .gap = given.gap, .threads = given.threads}, nullptr);
}

/// Small whole numbers, shifted now and then, some rows twice; most of the sets are separable.
Rows draw(std::uint64_t seed) {
  Random random(77, seed);
  const auto n = static_cast<std::size_t>(2 + random.below(7));
  const auto d = static_cast<std::size_t>(1 + random.below(3));
  std::vector<double> rule(d);
  for (double& r : rule) r = random.normal();
  const double shift = random.below(3) == 0 ? 16 : 0;
  Rows rows;
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 1 && random.below(6) == 0) {
      rows.x.push_back(rows.x.front());
      rows.y.push_back(rows.y.front());
      continue;
    }
    std::vector<double> x(d);
    double z = 0;
    for (std::size_t j = 0; j < d; ++j) {
      x[j] = static_cast<double>(random.below(9)) - 4 + shift;
      z += rule[j] * (x[j] - shift);
    }
    rows.x.push_back(std::move(x));
    rows.y.push_back(random.below(12) == 0 ? -1 : (z >= 0 ? 1 : -1));
  }
  return rows;
}

bool has_both(const Rows& rows) {
  return std::count(rows.y.begin(), rows.y.end(), 1.0) > 0 && std::count(rows.y.begin(), rows.y.end(), -1.0) > 0;
}

double score(const Model& model, const std::vector<double>& x) {
  double z = model.offset;
  for (std::size_t j = 0; j < x.size(); ++j) z += model.theta[j] * x[j];
  return z;
}

double least_margin(const Model& model, const Rows& rows) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < rows.size(); ++i) least = std::min(least, rows.y[i] * score(model, rows.x[i]));
  return least;
}

double norm(const Model& model) {
  double sum = 0;
  for (const double w : model.theta) sum += w * w;
  return std::sqrt(sum);
}

void expect_greatest(const Rows& rows, Method method, bool origin, Layout layout, double gap) {
  const double margin = reference::greatest_margin(rows, origin);
  const auto learner = make(method, {origin, gap, 1});
  const Result result = drive(*learner, Packed(rows, layout).batch(), method == Method::kDescent ? 20000 : 100);
  if (margin == 0) {
    EXPECT_FALSE(result.converged);
    EXPECT_FALSE(result.history.back().objective.has_value()) << "there is no separator";
    return;
  }
  std::string shown;
  for (std::size_t i = 0; i < rows.size(); ++i) shown += fmt::format("{:+} {}; ", rows.y[i], fmt::join(rows.x[i], " "));
  ASSERT_TRUE(result.converged) << shown << "margin " << margin << ", gap " << *result.history.back().gap;
  const double found = least_margin(result.model, rows) / norm(result.model);
  EXPECT_LE(found, margin * (1 + 1e-9));
  EXPECT_GE(found, margin * (1 - gap - 1e-9));
  EXPECT_NEAR(least_margin(result.model, rows), 1, 1e-7) << "the nearest rows have y·z = 1";
  EXPECT_LE(*result.history.back().gap, gap);
  EXPECT_GE(result.stats.margin_upper_bound, margin * (1 - 1e-12));
  EXPECT_TRUE(!origin || result.model.offset == 0);
}

TEST(HardMargin, IsTheGreatestOfDrawnSets) {
  int separable = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Rows rows = draw(seed);
    for (const bool origin : {false, true}) {
      if (!origin && !has_both(rows)) continue;
      SCOPED_TRACE(fmt::format("seed {} origin {}", seed, origin));
      separable += reference::greatest_margin(rows, origin) > 0 ? 1 : 0;
      expect_greatest(rows, Method::kNearest, origin, testing::kLayouts[seed % 4], 1e-9);
    }
  }
  EXPECT_GT(separable, 300);
}

TEST(HardMargin, IsTheGreatestByCoordinateDescent) {
  int wide = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Rows rows = draw(seed);
    for (const bool origin : {false, true}) {
      if ((!origin && !has_both(rows)) || reference::greatest_margin(rows, origin) < 0.5) continue;
      SCOPED_TRACE(fmt::format("seed {} origin {}", seed, origin));
      expect_greatest(rows, Method::kDescent, origin, testing::kLayouts[seed % 4], 1e-3);
      expect_greatest(rows, Method::kGathered, origin, testing::kLayouts[seed % 4], 1e-3);
      ++wide;
    }
  }
  EXPECT_GT(wide, 30) << "sets with a margin that descent finds soon";
}

TEST(HardMargin, OfTwoPointsIsHalfTheirDistance) {
  const Rows rows{{{1, 1}, {4, 5}}, {-1, 1}, {}};
  for (const Method method : {Method::kNearest, Method::kDescent}) {
    const Result result = drive(*make(method, {false, 1e-9, 1}), Packed(rows).batch(), 10000);
    ASSERT_TRUE(result.converged);
    EXPECT_NEAR(1 / norm(result.model), 2.5, 1e-8);
    EXPECT_NEAR(result.model.theta[0], 0.24, 1e-4);  // a gap of ε lets θ turn by √ε
    EXPECT_NEAR(result.model.theta[1], 0.32, 1e-4);
    EXPECT_NEAR(result.model.offset, -1.56, 1e-3);
    ASSERT_EQ(result.stats.hull_weights.size(), 2U);
    EXPECT_NEAR(*result.history.back().objective, 0.08, 1e-6);
  }
}

TEST(HardMargin, OneClassNeedsNoWeights) {
  for (const double y : {-1.0, 1.0}) {
    for (const Method method : {Method::kNearest, Method::kDescent}) {
      const Result result = drive(*make(method, {}), Packed(Rows{{{1}, {2}}, {y, y}, {}}).batch());
      EXPECT_TRUE(result.converged);
      EXPECT_EQ(result.model.theta, std::vector<double>{0});
      EXPECT_EQ(result.model.offset, y);
    }
  }
}

// Rows near two parallel planes, in random order; `scale` stretches the first column.
Rows between_planes(std::size_t n, std::size_t d, double margin, double scale, std::uint64_t seed) {
  Random random(seed);
  Rows rows;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> x(d);
    for (double& value : x) value = random.normal();
    const double y = random.below(2) == 0 ? -1 : 1;
    x[d - 1] = y * (margin + std::abs(random.normal()));
    x[0] *= scale;
    rows.x.push_back(std::move(x));
    rows.y.push_back(y);
  }
  return rows;
}

/// More rows than join the working set at once, on threads as workers: each has every third row.
TEST(HardMargin, OfGatheredRowsIsThatOfAll) {
  const Rows rows = between_planes(4000, 6, 0.2, 1, 6);
  const auto alone = make(Method::kNearest, {false, 1e-6, 1});
  const Result expected = drive(*alone, Packed(rows).batch(), 100);
  ASSERT_TRUE(expected.converged);
  std::optional<Model> first;
  for (const int workers : {1, 2, 3}) {
    std::vector<Result> results(static_cast<std::size_t>(workers));
    run_threads(workers, [&](Comm& comm) {
      Rows own;
      std::vector<std::int64_t> number;
      for (std::size_t i = static_cast<std::size_t>(comm.rank()); i < rows.size();
           i += static_cast<std::size_t>(workers)) {
        own.x.push_back(rows.x[i]);
        own.y.push_back(rows.y[i]);
        number.push_back(static_cast<std::int64_t>(i));
      }
      const Packed packed(own);
      Batch batch = packed.batch();
      batch.row_number = number;
      const auto learner = make(Method::kGathered, {false, 1e-2, 1});
      results[static_cast<std::size_t>(comm.rank())] = drive(*learner, testing::shape_of(batch), {batch}, 100, comm);
    });
    for (const Result& result : results) {
      EXPECT_TRUE(result.converged);
      EXPECT_EQ(result.model, results[0].model);
    }
    const double found = least_margin(results[0].model, rows) / norm(results[0].model);
    const double greatest = least_margin(expected.model, rows) / norm(expected.model);
    EXPECT_NEAR(found, greatest, 1e-2 * greatest);
    EXPECT_GE(results[0].stats.margin_upper_bound, greatest);
    if (!first) first = results[0].model;
    EXPECT_EQ(results[0].model, *first) << workers;
  }
}

TEST(HardMargin, ThreadsAndBatchesDontChangeABit) {
  const Rows rows = between_planes(3000, 8, 0.01, 1, 5);
  const Packed packed(rows);
  for (const Method method : {Method::kNearest, Method::kDescent}) {
    const Result one = drive(*make(method, {false, 1e-6, 1}), packed.batch(), 200);
    for (const int threads : {2, 4}) {
      for (const std::int64_t size : {3000, 700, 16}) {
        const auto batches = testing::pieces(packed.batch(), size);
        const Result other =
            drive(*make(method, {false, 1e-6, threads}), testing::shape_of(packed.batch()), batches, 200, *solo());
        EXPECT_EQ(other.model, one.model) << threads << " threads, batches of " << size;
        EXPECT_EQ(other.history.size(), one.history.size());
      }
    }
  }
}

TEST(HardMargin, ColumnsOfVeryDifferentSizesDontStopIt) {
  for (const double scale : {1e-4, 1e4, 1e6}) {
    const Rows rows = between_planes(2000, 6, 0.1, scale, 9);
    const Result result = drive(*make(Method::kNearest, {false, 1e-5, 1}), Packed(rows).batch());
    EXPECT_TRUE(result.converged) << scale;
    EXPECT_GE(least_margin(result.model, rows) / norm(result.model), 0.1) << scale;
  }
}

TEST(HardMargin, GoesOnFromASavedStateToTheSameBits) {
  const Packed packed(between_planes(500, 5, 0.01, 1, 6));
  for (const Method method : {Method::kNearest, Method::kDescent, Method::kGathered}) {
    const double gap = method == Method::kGathered ? 0.3 : 1e-7;  // descent takes long to the last digits
    const auto whole = make(method, {false, gap, 1});
    const Result expected = drive(*whole, packed.batch(), 150);
    auto learner = make(method, {false, gap, 1});
    learner->begin(testing::shape_of(packed.batch()));
    for (std::size_t pass = 0; pass < expected.history.size(); ++pass) {
      Progress progress;
      testing::one_pass(*learner, {packed.batch()}, *solo(), progress);
      const std::string state = learner->save_state();
      learner = make(method, {false, gap, 1});
      learner->begin(testing::shape_of(packed.batch()));
      learner->load_state(state);
      EXPECT_THROW(learner->load_state(state.substr(0, state.size() / 2)), Error);
      learner = make(method, {false, gap, 1});
      learner->begin(testing::shape_of(packed.batch()));
      learner->load_state(state);
    }
    EXPECT_EQ(learner->model(), expected.model);
  }
}

TEST(HardMargin, ALongSearchPausesAndGoesOn) {
  const Rows rows = between_planes(2000, 300, 0.01, 1, 11);
  const Result result = drive(*make(Method::kNearest, {false, 1e-6, 1}), Packed(rows).batch());
  EXPECT_TRUE(result.converged);
  EXPECT_GE(least_margin(result.model, rows) / norm(result.model), 0.01);
}

TEST(HardMargin, LeavesOutRowsOfWeightZero) {
  const Rows rows{{{1, 1}, {2, 2}, {4, 5}}, {-1, -1, 1}, {1, 0, 3}};
  for (const Method method : {Method::kNearest, Method::kDescent}) {
    const Result result = drive(*make(method, {false, 1e-9, 1}), Packed(rows).batch(), 10000);
    EXPECT_NEAR(1 / norm(result.model), 2.5, 1e-8);
  }
}

TEST(HardMargin, RefusesLabelsThatAreNone) {
  EXPECT_THROW(drive(*make_hard_margin({}), Packed(Rows{{{1}, {2}}, {0, 1}, {}}).batch()), Error);
}

}  // namespace
}  // namespace linsep

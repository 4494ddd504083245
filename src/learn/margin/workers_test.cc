// The margin learner on several workers, as threads of one process: the same bits for any number of them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tuple>

#include "learn/margin/gap.h"
#include "learn/margin/margin.h"
#include "learn/testing.h"
#include "linsep/error.h"

namespace linsep {
namespace {

using testing::drive;
using testing::Packed;
using testing::Result;
using testing::Rows;
using testing::word;

Rows noisy_rows(std::size_t n, std::size_t d, std::uint64_t seed) {
  Random random(91, seed);
  Rows rows;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> x(d);
    double z = 0.3 + 0.5 * random.normal();
    for (std::size_t j = 0; j < d; ++j) {
      x[j] = random.below(3) == 0 ? 0 : random.normal() * static_cast<double>(1 + j % 3);
      z += j % 2 == 0 ? x[j] : -x[j];
    }
    rows.x.push_back(x);
    rows.y.push_back(z > 0 ? 1 : -1);
    rows.w.push_back(static_cast<double>(random.below(4)) / 2 + 0.1);
  }
  return rows;
}

/// Uneven cuts; with many workers some have no rows.
std::int64_t cut(std::int64_t rows, int worker, int workers) {
  return worker == workers ? rows : rows * worker * worker / (workers * workers);
}

Result on_workers(const Packed& packed, const Options& options, int workers, int threads) {
  std::vector<Result> results(static_cast<std::size_t>(workers));
  run_threads(workers, [&](Comm& comm) {
    const std::int64_t n = packed.batch().rows;
    const Batch mine =
        testing::rows_between(packed.batch(), cut(n, comm.rank(), workers), cut(n, comm.rank() + 1, workers));
    const auto learner = make_margin(options, nullptr, {threads, workers});
    results[static_cast<std::size_t>(comm.rank())] =
        drive(*learner, testing::shape_of(mine), {mine}, get_integer(options, "passes"), comm);
  });
  for (const Result& result : results) EXPECT_EQ(result.model, results[0].model);
  return results[0];
}

TEST(MarginWorkers, AnyNumberOfThemGivesTheSameBits) {
  using Case = std::tuple<const char*, const char*, double>;
  for (const auto& [loss, solver, ratio] :
       {Case("hinge", "planes", 0), Case("squared-hinge", "newton", 0), Case("logistic", "newton", 0),
        Case("squared-hinge", "working-set", 1), Case("logistic", "working-set", 0.7)}) {
    for (const bool origin : {false, true}) {
      SCOPED_TRACE(std::string(loss) + (origin ? " origin" : ""));
      for (const testing::Layout layout : {testing::Layout{true, true}, testing::Layout{false, false}}) {
        const Packed packed(noisy_rows(700, 7, 3), layout);
        const Options options = complete_options(
            margin_options(), {{"loss", word(loss)}, {"l1-ratio", ratio}, {"origin", origin}, {"gap", 1e-5}});
        Options alone = options;
        alone["solver"] = word(solver);
        const Result one = on_workers(packed, alone, 1, 2);
        EXPECT_TRUE(one.converged);
        for (const int workers : {2, 3, 4, 8, 16}) {
          const Result several = on_workers(packed, options, workers, 1);
          EXPECT_EQ(several.model, one.model) << workers;
          ASSERT_EQ(several.history.size(), one.history.size()) << workers;
          for (std::size_t k = 0; k < one.history.size(); ++k) {
            EXPECT_EQ(several.history[k].gap, one.history[k].gap) << workers;
            EXPECT_EQ(several.history[k].objective, one.history[k].objective) << workers;
          }
        }
      }
    }
  }
}

TEST(MarginWorkers, ColumnsOfAnySizeAreAddedUpAlike) {
  Rows rows = noisy_rows(300, 4, 5);
  for (auto& x : rows.x) {
    x[0] *= 1e9;
    x[1] *= 1e-9;
  }
  const Packed packed(rows);
  const Options options = complete_options(margin_options(), {{"loss", word("logistic")}, {"gap", 1e-4}});
  const Result one =
      on_workers(packed, complete_options(margin_options(), {{"loss", word("logistic")}, {"gap", 1e-4}}), 1, 1);
  EXPECT_EQ(on_workers(packed, options, 5, 1).model, one.model);
}

TEST(MarginWorkers, SolversOfOneWorkerAreRefused) {
  const Packed packed(noisy_rows(20, 2, 1));
  for (const char* solver : {"dual", "interior"}) {
    const Options options = complete_options(margin_options(), {{"solver", word(solver)}});
    EXPECT_THROW(on_workers(packed, options, 2, 1), Error);
  }
}

TEST(MarginWorkers, RowsOfOneClassNeedNoWeights) {
  Rows rows = noisy_rows(30, 3, 2);
  for (double& y : rows.y) y = 1;
  const Result result = on_workers(Packed(rows), complete_options(margin_options(), {}), 4, 1);
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.model.theta, std::vector<double>(3, 0));
  EXPECT_EQ(result.model.offset, 1);
}

/// By sorting.
double sorted_quantile(std::vector<std::pair<double, double>> points, double level) {
  std::sort(points.begin(), points.end());
  double sum = 0;
  for (const auto& [place, mass] : points) {
    sum += mass;
    if (sum >= level) return place;
  }
  return points.empty() ? 0 : points.back().first;
}

TEST(AgreedQuantile, IsThatOfTheSortedRows) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(17, seed);
    const std::size_t n = 1 + random.below(seed % 10 == 0 ? 20000 : 60);
    std::vector<double> place(n), mass(n);
    std::vector<std::pair<double, double>> points;
    double total = 0;
    for (std::size_t i = 0; i < n; ++i) {
      place[i] = random.below(2) == 0 ? static_cast<double>(random.below(20)) : 1e3 * random.normal();
      mass[i] = static_cast<double>(random.below(5)) / 4;  // sums are exact
      total += mass[i];
      if (mass[i] > 0) points.emplace_back(place[i], mass[i]);
    }
    const double level = total * (random.uniform() * 1.1 + 1e-9);
    for (const int workers : {1, 3}) {
      run_threads(workers, [&](Comm& comm) {
        const std::size_t first = n * static_cast<std::size_t>(comm.rank()) / static_cast<std::size_t>(workers);
        const std::size_t end = n * static_cast<std::size_t>(comm.rank() + 1) / static_cast<std::size_t>(workers);
        const Masses mine{std::span(place).subspan(first, end - first), std::span(mass).subspan(first, end - first),
                          total + 1};
        const double expected = sorted_quantile(points, level);
        EXPECT_EQ(agreed_quantile(mine, level, comm), expected) << seed;
        for (const auto& [low, high] : {std::pair(0.0, 0.0), std::pair(-1.0, 1.0), std::pair(100.0, 90.0)}) {
          const LikelyInterval likely{expected + low, expected + high};
          EXPECT_EQ(agreed_quantile(mine, level, comm, likely), expected) << seed;
          EXPECT_EQ(agreed_quantile(mine, level, comm, {low, high}), expected) << seed;
        }
      });
    }
  }
}

// What the rows of a forged checkpoint come to; and two neighbours among which no midpoint lies.
TEST(AgreedQuantile, IsThatOfPlacesAtTheEndsOfTheRange) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  const std::vector<std::vector<double>> lines = {
      {-kInfinity, -1, 0, 2}, {-3, 0, 5, kInfinity}, {-kInfinity, 0, kInfinity}, {0, kLeast}, {-1e308, 0, 1e308}};
  for (const std::vector<double>& line : lines) {
    for (const std::size_t times : {std::size_t{1}, std::size_t{2000}}) {  // few are sorted, many are counted in bins
      std::vector<double> place;
      for (const double v : line) place.insert(place.end(), times, v);
      const std::vector<double> mass(place.size(), 1.0);
      run_threads(1, [&](Comm& comm) {
        for (std::size_t k = 0; k < line.size(); ++k) {
          const double level = static_cast<double>(k * times) + 0.5;
          EXPECT_EQ(agreed_quantile({place, mass, 1e6}, level, comm), line[k]) << k << " of " << line.size();
        }
        place.push_back(std::nan(""));  // passed over
        const std::vector<double> longer(place.size(), 1.0);
        EXPECT_EQ(agreed_quantile({place, longer, 1e6}, 1e6, comm), line.back());
      });
    }
  }
}

}  // namespace
}  // namespace linsep

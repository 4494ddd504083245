// Learners on several workers, as threads of one process.
#include <gtest/gtest.h>

#include <cmath>

#include "learn/testing.h"
#include "linsep/error.h"

namespace linsep {
namespace {

using testing::Case;
using testing::drive;
using testing::Packed;
using testing::Result;
using testing::Rows;
using testing::word;

using Numbers = std::vector<double>;

/// Shard w of `workers`: consecutive rows.
Batch shard(const Batch& batch, int worker, int workers) {
  return testing::rows_between(batch, batch.rows * worker / workers, batch.rows * (worker + 1) / workers);
}

/// One result per worker.
template <class Make>
std::vector<Result> drive_workers(const Make& make, const Batch& batch, int workers, std::int64_t passes) {
  std::vector<Result> results(static_cast<std::size_t>(workers));
  run_threads(workers, [&](Comm& comm) {
    const Batch mine = shard(batch, comm.rank(), comm.size());
    const auto learner = make();
    results[static_cast<std::size_t>(comm.rank())] = drive(*learner, testing::shape_of(mine), {mine}, passes, comm);
  });
  for (const Result& r : results) {
    EXPECT_EQ(r.model, results[0].model);
    EXPECT_EQ(r.converged, results[0].converged);
    EXPECT_EQ(r.stats.mistakes, results[0].stats.mistakes);
  }
  return results;
}

TEST(Workers, MixTheirPerceptronsByHand) {
  // One row each, (1,0)+ and (0,1)+. Each errs once, and the mean (½, ½) makes no mistake.
  const Packed packed({{{1, 0}, {0, 1}}, {1, 1}, {}});
  const auto last = drive_workers([] { return testing::perceptron({{"origin", true}}); }, packed.batch(), 2, 10);
  EXPECT_TRUE(last[0].converged);
  EXPECT_EQ(last[0].model.theta, (Numbers{0.5, 0.5}));
  EXPECT_EQ(last[0].stats.mistakes, 2);
  EXPECT_EQ(last[0].history[0].mistakes, 2);
  // The steps are (1,0), (0,1), then (½, ½) twice.
  const auto averaged = drive_workers(
      [] { return testing::perceptron({{"origin", true}, {"variant", word("averaged")}}); }, packed.batch(), 2, 10);
  EXPECT_EQ(averaged[0].model.theta, (Numbers{0.5, 0.5}));
}

TEST(Workers, AllEndWithTheSamePerceptronAndItSeparates) {
  const Rows rows = testing::real_rows(60, 3, 3);
  Rows separable;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double z = rows.x[i][0] - 2 * rows.x[i][1] + 0.5;
    if (std::abs(z) < 0.2) continue;
    separable.x.push_back(rows.x[i]);
    separable.y.push_back(z > 0 ? 1 : -1);
  }
  const Packed packed(separable);
  for (const int workers : {2, 3, 5}) {
    const auto results = drive_workers([] { return testing::perceptron(); }, packed.batch(), workers, 10000);
    EXPECT_TRUE(results[0].converged);
    Numbers z(separable.size());
    score(results[0].model, packed.batch(), z);
    for (std::size_t i = 0; i < z.size(); ++i) EXPECT_GT(separable.y[i] * z[i], 0);
    // The average over steps is the same on every worker as well.
    drive_workers([] { return testing::perceptron({{"variant", word("averaged")}}); }, packed.batch(), workers, 5);
  }
}

TEST(Workers, OfAnyNumberGiveTheSameBitsWhereTheSplitDoesntMatter) {
  for (const std::uint64_t seed : {4, 5, 6}) {
    Rows rows = testing::real_rows(50, 4, seed);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows.x[i][1] *= std::ldexp(1.0, static_cast<int>(i % 40) - 20);
      rows.w.push_back(0.1 + static_cast<double>(i % 7) / 3);
    }
    const Packed packed(rows);
    for (const Case& c : testing::every_case()) {
      if (c.make != testing::basic && c.make != testing::least_squares) continue;
      SCOPED_TRACE(c.name);
      const Result alone = drive(*c.learner(), packed.batch(), 1000);
      const auto matrix = c.options.find("matrix");
      const bool full =
          c.make == testing::least_squares &&
          (matrix == c.options.end() || option_text(matrix->second) == "full" || option_text(matrix->second) == "auto");
      for (const int workers : {2, 3, 7}) {
        const Model model = drive_workers([&] { return c.learner(); }, packed.batch(), workers, 1000)[0].model;
        if (!full) {
          EXPECT_EQ(model, alone.model) << workers;
        } else {
          for (std::size_t j = 0; j < 4; ++j) {
            EXPECT_NEAR(model.theta[j], alone.model.theta[j], 1e-6 * (1 + std::abs(alone.model.theta[j])));
          }
        }
      }
    }
  }
}

TEST(Workers, MixTheirRegressions) {
  Rows line;
  for (int i = 0; i < 40; ++i) {
    const double x = (i * 7 % 40) / 20.0;
    line.x.push_back({x});
    line.y.push_back(3 * x - 1);
  }
  const Packed packed(line);
  const auto results = drive_workers([] { return testing::regression({{"rate", 0.3}, {"residual-bound", 1e-6}}); },
                                     packed.batch(), 3, 1000);
  EXPECT_TRUE(results[0].converged);
  EXPECT_NEAR(results[0].model.theta[0], 3, 1e-2);
}

TEST(Workers, AShardWithFewerFeaturesIsWidened) {
  const Packed narrow({{{1}}, {1}, {}});
  const Packed wide({{{0, 0, 1}}, {-1}, {}});
  for (const Case& c : testing::every_case()) {
    if (c.make == testing::dual || c.name.find("voted") != std::string::npos) continue;
    SCOPED_TRACE(c.name);
    run_threads(2, [&](Comm& comm) {
      const Batch& mine = comm.rank() == 0 ? narrow.batch() : wide.batch();
      const auto learner = c.learner();
      EXPECT_EQ(drive(*learner, {-1, 0, -1}, {mine}, 3, comm).model.theta.size(), 3U);
    });
  }
}

TEST(Workers, DualAndVotedRunOnOneOnly) {
  const Packed packed(testing::whole_rows(4, 2, 1));
  EXPECT_THROW(drive_workers([] { return testing::dual(); }, packed.batch(), 2, 1), Error);
  EXPECT_THROW(drive_workers([] { return testing::perceptron({{"variant", word("voted")}}); }, packed.batch(), 2, 1),
               Error);
}

}  // namespace
}  // namespace linsep

#include "learn/margin/lambda_path.h"

#include <gtest/gtest.h>

#include "learn/margin/margin.h"
#include "learn/testing.h"

namespace linsep {
namespace {

using namespace linsep::testing;

const std::vector<double> kLambdas = {1, 0.1, 0.01};

std::unique_ptr<LambdaPath> path(const Options& given, PathScorer scorer = {}) {
  return std::make_unique<LambdaPath>(complete_options(margin_options(), given), kLambdas, nullptr, std::move(scorer),
                                      true, 1);
}

const std::vector<Options> kCases = {{{"solver", word("dual")}},
                                     {{"solver", word("interior")}},
                                     {{"loss", word("squared-hinge")}, {"solver", word("dual")}},
                                     {{"loss", word("squared-hinge")}, {"solver", word("newton")}},
                                     {{"loss", word("logistic")}},
                                     {{"solver", word("auto")}}};

void expect_equal(const std::vector<LambdaPoint>& a, const std::vector<LambdaPoint>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t l = 0; l < a.size(); ++l) {
    EXPECT_EQ(a[l].lambda, b[l].lambda);
    EXPECT_EQ(a[l].objective, b[l].objective);
    EXPECT_EQ(a[l].gap, b[l].gap);
    EXPECT_EQ(a[l].passes, b[l].passes);
    EXPECT_EQ(a[l].model, b[l].model);
  }
}

TEST(PathOfLambdas, ShowsEveryRowOnceForEachLambdaWithThatLambdasModel) {
  const Packed rows(real_rows(60, 4, 1));
  std::vector<std::int64_t> seen(kLambdas.size());
  std::vector<Model> models(kLambdas.size());
  const auto learner = path({}, [&](std::size_t l, const Model& model, const Batch& batch) {
    seen[l] += batch.rows;
    models[l] = model;
  });
  const Result run = drive(*learner, shape_of(rows.batch()), pieces(rows.batch(), 7), 1000, *solo());
  EXPECT_TRUE(run.converged);
  EXPECT_EQ(seen, std::vector<std::int64_t>(kLambdas.size(), 60));
  const auto points = learner->points();
  ASSERT_EQ(points.size(), kLambdas.size());
  for (std::size_t l = 0; l < points.size(); ++l) EXPECT_EQ(points[l].model, models[l]);
  EXPECT_EQ(learner->scored(), 3U);
}

TEST(PathOfLambdas, GoesOnToTheSameBitsFromItsStateAfterAnyPass) {
  const Packed rows(real_rows(60, 4, 2));
  const auto batches = pieces(rows.batch(), 16);
  for (const Options& options : kCases) {
    const auto whole = path(options);
    const Result run = drive(*whole, shape_of(rows.batch()), batches, 1000, *solo());
    ASSERT_TRUE(run.converged);
    auto broken = path(options);
    broken->begin(shape_of(rows.batch()));
    for (Verdict verdict = Verdict::kContinue; verdict == Verdict::kContinue;) {
      Progress progress;
      verdict = one_pass(*broken, batches, *solo(), progress);
      const std::string state = broken->save_state();
      broken = path(options);
      broken->begin(shape_of(rows.batch()));
      broken->load_state(state);
    }
    expect_equal(broken->points(), whole->points());
  }
}

TEST(CoordinateDescent, StartedFromTheAnswerNeedsFarFewerPasses) {
  const Packed rows(real_rows(300, 8, 4));
  for (const char* loss : {"hinge", "squared-hinge"}) {
    const Options options = complete_options(
        margin_options(), {{"solver", word("dual")}, {"loss", word(loss)}, {"lambda", 1e-2}, {"gap", 1e-4}});
    const Result cold =
        drive(*make_margin(options, nullptr, 1), shape_of(rows.batch()), pieces(rows.batch(), 16), 5000, *solo());
    const Result warm =
        drive(*make_margin(options, &cold.model, 1), shape_of(rows.batch()), pieces(rows.batch(), 16), 5000, *solo());
    ASSERT_TRUE(cold.converged && warm.converged);
    EXPECT_LT(2 * warm.history.size(), cold.history.size()) << loss;
  }
}

TEST(PathOfLambdas, WindsUpWithAGapForThePointItIsAt) {
  const Packed rows(real_rows(200, 6, 3));
  const auto batches = pieces(rows.batch(), 16);
  const auto learner = path({{"solver", word("dual")}, {"gap", 1e-12}});
  learner->begin(shape_of(rows.batch()));
  Progress progress;
  for (int pass = 0; pass < 4; ++pass) one_pass(*learner, batches, *solo(), progress);
  ASSERT_GT(*progress.gap, 0.999);
  learner->visit(batches[0]);
  EXPECT_EQ(learner->passes_to_finish(), 3);
  for (std::size_t b = 1; b < batches.size(); ++b) learner->visit(batches[b]);
  learner->synchronise(*solo());
  learner->end_pass(progress);
  for (int pass = 0; pass < 2; ++pass) one_pass(*learner, batches, *solo(), progress);
  EXPECT_LT(*progress.gap, 0.1);
  EXPECT_EQ(learner->points()[0].gap, *progress.gap);
}

}  // namespace
}  // namespace linsep

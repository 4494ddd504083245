// The grid of a cross-validation goes on where its best λ stands at an end.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "train/checkpoint/testing.h"
#include "train/select/testing.h"

namespace linsep {
namespace {

using testing::labelled_rows;
using testing::margin_with;
using testing::shard_of;
using testing::word;

Selection cross_validated(const char* lambdas, const Options& options = {}, const char* choose = "loss") {
  const Schema schema = testing::three_classes();
  const auto source = shard_of(labelled_rows(schema, 120), schema);
  return select(*source, margin_with(options),
                {{"lambdas", word(lambdas)}, {"cv", std::int64_t{3}}, {"choose", word(choose)}}, {}, *solo());
}

TEST(GrownGrid, GoesOnToSmallerLambdasUntilTheBestStandsWithin) {
  const Selection found = cross_validated("100:10:2");
  EXPECT_EQ(found.asked, 2U);
  EXPECT_GT(found.added, 0U);
  EXPECT_EQ(found.path.size(), found.asked + found.added);
  EXPECT_LT(found.chosen, found.path.size() - 1);
  EXPECT_GT(found.chosen, 0U);
  for (std::size_t l = 1; l < found.path.size(); ++l) {
    EXPECT_NEAR(found.path[l - 1].lambda / found.path[l].lambda, 10, 1e-9);
    ASSERT_TRUE(found.path[l].held_out);
  }
}

TEST(GrownGrid, GoesOnToGreaterLambdas) {
  const Selection found = cross_validated("1e-4:1e-5:2", {{"loss", word("logistic")}});
  EXPECT_GT(found.added, 0U);
  EXPECT_GT(found.path.front().lambda, 1e-4);
  EXPECT_EQ(found.path.back().lambda, 1e-5);
  EXPECT_GT(found.chosen, 0U);
  // What is trained from the start again is within the gap of what is trained alone.
  const Schema schema = testing::three_classes();
  const auto source = shard_of(labelled_rows(schema, 120), schema);
  const Outcome alone =
      fit(*source, margin_with({{"loss", word("logistic")}, {"lambda", found.path.front().lambda}}), {}, *solo());
  EXPECT_NEAR(*alone.history.back().objective, found.path.front().objective, 2e-3 * found.path.front().objective);
}

TEST(GrownGrid, HasThePointsThatAWiderOneWouldHave) {
  const Selection grown = cross_validated("10:1:2"), wide = cross_validated("10,1,0.1,0.01");
  ASSERT_GE(grown.path.size(), 3U);
  for (std::size_t l = 0; l < std::min(grown.path.size(), wide.path.size()); ++l) {
    EXPECT_EQ(grown.path[l].lambda, wide.path[l].lambda);
    EXPECT_EQ(grown.path[l].objective, wide.path[l].objective);
    EXPECT_EQ(grown.path[l].held_out->loss, wide.path[l].held_out->loss);
  }
}

TEST(GrownGrid, ThatIsAListOrStandsForItselfIsNotExtended) {
  EXPECT_EQ(cross_validated("100,10").added, 0U);
  const Schema schema = testing::two_classes();
  const auto source = shard_of(labelled_rows(schema, 60), schema);
  EXPECT_EQ(select(*source, margin_with({{"lambda", 100.0}}), {{"cv", std::int64_t{3}}}, {}, *solo()).path.size(), 1U);
}

TEST(GrownGrid, EndsOnRowsOfWhichLessRegularisationIsForEverNoWorse) {
  std::vector<PlainRow> rows;
  for (std::int64_t i = 0; i < 40; ++i) rows.push_back({i, {{0, i % 2 == 0 ? 5.0 : -5.0}}, i % 2 == 0 ? 1.0 : -1.0, 1});
  const auto source = shard_of(rows, testing::two_classes());
  const Options options = {{"loss", word("logistic")}};
  const auto by = [&](const char* what) {
    return select(*source, margin_with(options),
                  {{"lambdas", word("1:0.1:2")}, {"cv", std::int64_t{4}}, {"choose", word(what)}}, {}, *solo());
  };
  EXPECT_EQ(by("loss").added, 6U);
  EXPECT_EQ(by("error").added, 0U);
}

TEST(GrownGrid, ThatGrewIsResumedToTheSameBits) {
  const Schema schema = testing::three_classes();
  const auto rows = labelled_rows(schema, 60);
  const auto source = shard_of(rows, schema);
  const Options selection = {{"lambdas", word("1e-3:1e-4:2")},
                             {"cv", std::int64_t{3}},
                             {"choose", word("loss")},
                             {"probabilities", word("platt")}};
  const TrainSpec spec = margin_with({{"loss", word("logistic")}});
  const Selection whole = select(*source, spec, selection, {}, *solo());
  ASSERT_GT(whole.added, 0U);
  const testing::Folder folder;
  for (std::int64_t stop = 1; stop < whole.outcome.passes; stop += 7) {
    TrainOptions limits;
    limits.checkpoint.path = folder.file("run" + std::to_string(stop) + ".ckpt");
    limits.checkpoint.every_passes = 1;
    std::atomic<bool> interrupt = false;
    limits.interrupt = &interrupt;
    select(*source, spec, selection, limits, *solo(), [&](const Progress& progress) {
      if (progress.pass_ended && progress.pass == stop) interrupt = true;
    });
    limits.interrupt = nullptr;
    limits.checkpoint.resume = true;
    const Selection resumed = select(*source, spec, selection, limits, *solo());
    EXPECT_EQ(resumed.outcome.model, whole.outcome.model);
    EXPECT_EQ(resumed.added, whole.added);
    EXPECT_EQ(resumed.outcome.passes, whole.outcome.passes);
  }
}

}  // namespace
}  // namespace linsep

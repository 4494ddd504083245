// A selection on several workers: the same bits as on one.
#include <gtest/gtest.h>

#include "train/select/held_out.h"
#include "train/select/testing.h"

namespace linsep {
namespace {

using testing::labelled_rows;
using testing::margin_with;
using testing::shard_of;
using testing::word;

void expect_same(const Selection& a, const Selection& b) {
  EXPECT_EQ(a.outcome.model, b.outcome.model);
  EXPECT_EQ(a.chosen, b.chosen);
  EXPECT_EQ(a.added, b.added);
  EXPECT_EQ(a.total_weight, b.total_weight);
  ASSERT_EQ(a.path.size(), b.path.size());
  for (std::size_t l = 0; l < a.path.size(); ++l) {
    EXPECT_EQ(a.path[l].lambda, b.path[l].lambda);
    EXPECT_EQ(a.path[l].objective, b.path[l].objective);
    EXPECT_EQ(a.path[l].gap, b.path[l].gap);
    EXPECT_EQ(a.path[l].mistakes, b.path[l].mistakes);
    EXPECT_EQ(a.path[l].passes, b.path[l].passes);
    ASSERT_EQ(a.path[l].held_out.has_value(), b.path[l].held_out.has_value());
    if (!a.path[l].held_out) continue;
    EXPECT_EQ(a.path[l].held_out->error, b.path[l].held_out->error);
    EXPECT_EQ(a.path[l].held_out->error_spread, b.path[l].held_out->error_spread);
    EXPECT_EQ(a.path[l].held_out->loss, b.path[l].held_out->loss);
    EXPECT_EQ(a.path[l].held_out->loss_spread, b.path[l].held_out->loss_spread);
  }
}

TEST(SelectionOnWorkers, IsThatOfOne) {
  const std::vector<Options> learners = {{{"solver", word("planes")}},
                                         {{"loss", word("squared-hinge")}, {"solver", word("newton")}},
                                         {{"loss", word("logistic")}, {"solver", word("newton")}}};
  const std::vector<Options> selections = {
      {{"lambdas", word("0.5,0.05")}, {"probabilities", word("platt")}},
      {{"Cs", word("0.01:0.05:2")}, {"cv", std::int64_t{2}}, {"probabilities", word("isotonic")}},
  };
  for (const Schema& schema : {testing::two_classes(), testing::three_classes(), testing::two_columns()}) {
    const auto rows = labelled_rows(schema, 50, true);
    const bool classes = schema.labels.empty();
    for (Options options : learners) {
      if (classes) options["class-weight"] = word("balanced");
      for (const Options& selection : selections) {
        const auto source = shard_of(rows, schema);
        const Selection alone = select(*source, margin_with(options), selection, {}, *solo());
        for (const int workers : {1, 3}) {
          run_threads(workers, [&](Comm& comm) {
            const auto shard = shard_of(rows, schema, comm.rank(), comm.size());
            TrainOptions limits;
            limits.threads = 1 + comm.rank() % 2;
            expect_same(select(*shard, margin_with(options), selection, limits, comm), alone);
          });
        }
      }
    }
  }
}

TEST(SelectionOnWorkers, TriesTheSameLambdas) {
  const Schema schema = testing::two_classes();
  const auto rows = labelled_rows(schema, 60, true);
  const TrainSpec spec = margin_with({{"loss", word("logistic")}, {"solver", word("newton")}});
  const Options selection = {{"cv", std::int64_t{3}}};
  const Selection alone = select(*shard_of(rows, schema), spec, selection, {}, *solo());
  EXPECT_EQ(alone.asked, 7U);
  run_threads(4, [&](Comm& comm) {
    expect_same(select(*shard_of(rows, schema, comm.rank(), comm.size()), spec, selection, {}, comm), alone);
  });
}

TEST(FoldsOnWorkers, AreThoseOfOne) {
  std::vector<std::uint32_t> label;
  for (std::uint64_t i = 0; i < 500; ++i) label.push_back(static_cast<std::uint32_t>(keyed_hash(3, i) % 4));
  const auto alone = deal_folds(label, 0, 7, 1, *solo());
  for (const int workers : {2, 3, 9}) {
    run_threads(workers, [&](Comm& comm) {
      const auto first = 500 * comm.rank() / comm.size(), end = 500 * (comm.rank() + 1) / comm.size();
      const auto mine =
          std::span(label).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
      const auto fold = deal_folds(mine, first, 7, 1, comm);
      EXPECT_TRUE(std::equal(fold.begin(), fold.end(), alone.begin() + first));
    });
  }
}

}  // namespace
}  // namespace linsep

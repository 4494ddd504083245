// --class-weight makes every row count according to its class's weight.
#include "train/class_weights.h"

#include <gtest/gtest.h>

#include "linsep/error.h"
#include "train/select/testing.h"

namespace linsep {
namespace {

using testing::labelled_rows;
using testing::margin_with;
using testing::shard_of;
using testing::word;

const std::vector<Options> kLosses = {
    {{"loss", word("hinge")}}, {{"loss", word("squared-hinge")}}, {{"loss", word("logistic")}}};

/// The slow way, with the weights in the rows.
std::vector<PlainRow> weighed(std::vector<PlainRow> rows, const std::vector<double>& by_class, bool two) {
  for (PlainRow& row : rows)
    row.weight *= by_class[two ? (row.label > 0 ? 1U : 0U) : static_cast<std::size_t>(row.label)];
  return rows;
}

TEST(ClassWeight, IsAWeightOfEveryRowOfTheClass) {
  for (const bool two : {true, false}) {
    const Schema schema = two ? testing::two_classes() : testing::three_classes();
    const auto rows = labelled_rows(schema, 80, true);
    const auto plain = shard_of(rows, schema);
    const auto by_hand =
        shard_of(weighed(rows, two ? std::vector<double>{2, 0.5} : std::vector<double>{2, 1, 0.5}, two), schema);
    for (Options options : kLosses) {
      options["lambda"] = 0.01;
      const Model wanted = fit(*by_hand, margin_with(options)).model;
      options["class-weight"] = word(two ? "1=0.5,-1=2" : "c=0.5,a=2");
      const Model found = fit(*plain, margin_with(options)).model;
      EXPECT_EQ(found.theta, wanted.theta);
      EXPECT_EQ(found.offset, wanted.offset);
      EXPECT_EQ(found.offsets, wanted.offsets);
      EXPECT_EQ(found.options, complete_options(learner_info("margin").table, options));
    }
  }
}

TEST(ClassWeight, ThatIsBalancedMakesEveryClassWeighTheSameInAnyPart) {
  const Schema schema = testing::three_classes();
  const auto rows = labelled_rows(schema, 80, true);
  std::vector<double> totals(3);
  double all = 0;
  for (const PlainRow& row : rows) {
    totals[static_cast<std::size_t>(row.label)] += row.weight;
    all += row.weight;
  }
  std::vector<double> by_class;
  for (const double total : totals) by_class.push_back(all / (3 * total));
  const auto plain = shard_of(rows, schema), by_hand = shard_of(weighed(rows, by_class, false), schema);
  const Model wanted = fit(*by_hand, margin_with({})).model;
  EXPECT_EQ(fit(*plain, margin_with({{"class-weight", word("balanced")}})).model.theta, wanted.theta);
}

TEST(ClassWeight, GivesTheSameBitsOnAnyNumberOfWorkers) {
  for (const Schema& schema : {testing::two_classes(), testing::three_classes()}) {
    const auto rows = labelled_rows(schema, 90, true);
    const Options options = {
        {"loss", word("logistic")}, {"solver", word("newton")}, {"class-weight", word("balanced")}};
    const Model alone = fit(*shard_of(rows, schema), margin_with(options)).model;
    for (const int workers : {2, 4}) {
      run_threads(workers, [&](Comm& comm) {
        const auto shard = shard_of(rows, schema, comm.rank(), comm.size());
        EXPECT_EQ(fit(*shard, margin_with(options), {}, comm).model, alone);
      });
    }
  }
}

TEST(ClassWeight, CountsInHeldOutLossButNotInProbabilities) {
  const Schema schema = testing::three_classes();
  const auto rows = labelled_rows(schema, 80);
  const auto plain = shard_of(rows, schema), by_hand = shard_of(weighed(rows, {2, 1, 0.5}, false), schema);
  const Options selection = {{"lambdas", word("0.1,0.01")}, {"cv", std::int64_t{3}}, {"probabilities", word("platt")}};
  const Selection found = select(*plain, margin_with({{"class-weight", word("a=2,c=0.5")}}), selection, {}, *solo());
  const Selection wanted = select(*by_hand, margin_with({}), selection, {}, *solo());
  EXPECT_EQ(found.outcome.model.theta, wanted.outcome.model.theta);
  EXPECT_EQ(found.total_weight, wanted.total_weight);
  for (std::size_t l = 0; l < 2; ++l) {
    EXPECT_EQ(found.path[l].held_out->loss, wanted.path[l].held_out->loss);
    EXPECT_EQ(found.path[l].held_out->error, wanted.path[l].held_out->error);
  }
  EXPECT_NE(found.outcome.model.calibrations, wanted.outcome.model.calibrations);
}

TEST(ClassWeight, OfLabelColumnsAndBesideOtherWeightsIsRefused) {
  const auto columns = shard_of(labelled_rows(testing::two_columns(), 20), testing::two_columns());
  const auto two = shard_of(labelled_rows(testing::two_classes(), 20), testing::two_classes());
  const Options balanced = {{"class-weight", word("balanced")}};
  EXPECT_THROW(fit(*columns, margin_with(balanced)), Error);
  for (const char* other : {"positive-weight", "negative-weight"}) {
    Options both = balanced;
    both[other] = 2.0;
    EXPECT_THROW(fit(*two, margin_with(both)), Error);
    EXPECT_THROW(check_selection(margin_with(both), {}), Error);
  }
  Options hard = balanced;
  hard["hard"] = true;
  EXPECT_THROW(fit(*two, margin_with(hard)), Error);
  EXPECT_THROW(fit(*two, margin_with({{"class-weight", word("2=3")}})), Error);
}

}  // namespace
}  // namespace linsep

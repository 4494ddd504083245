// Folds that the caller gives, a number for each row.
#include <gtest/gtest.h>

#include <vector>

#include "linsep/error.h"
#include "linsep/select.h"
#include "train/select/held_out.h"
#include "train/select/testing.h"

namespace linsep {
namespace {

using testing::labelled_rows;
using testing::shard_of;
using testing::two_classes;

Options lambdas(const char* text, std::int64_t folds = 0) {
  Options options = {{"lambdas", std::string(text)}};
  if (folds > 0) options["cv"] = folds;
  return options;
}

TrainSpec margin_spec() {
  return testing::margin_with({{"loss", testing::word("logistic")}, {"seed", std::int64_t{3}}});
}

std::vector<std::int32_t> dealt_folds(const std::vector<PlainRow>& rows, std::int64_t count) {
  std::vector<std::uint32_t> label;
  for (const PlainRow& row : rows) label.push_back(row.label > 0 ? 1 : 0);
  const auto fold = deal_folds(label, 0, count, 3, *solo());
  return {fold.begin(), fold.end()};
}

TEST(GivenFolds, ThatAreTheLibrarysOwnGiveTheSameBits) {
  const auto rows = labelled_rows(two_classes(), 120);
  const auto source = shard_of(rows, two_classes());
  const Selection own = select(*source, margin_spec(), lambdas("1,0.1,0.01", 4), {}, *solo());
  const Selection given = select(*source, margin_spec(), lambdas("1,0.1,0.01"), dealt_folds(rows, 4), {});
  ASSERT_EQ(given.path.size(), own.path.size());
  EXPECT_EQ(given.folds, 4);
  EXPECT_EQ(given.chosen, own.chosen);
  EXPECT_EQ(given.outcome.model, own.outcome.model);
  for (std::size_t l = 0; l < own.path.size(); ++l) {
    EXPECT_EQ(given.path[l].held_out->error, own.path[l].held_out->error);
    EXPECT_EQ(given.path[l].held_out->loss, own.path[l].held_out->loss);
  }
}

TEST(GivenFolds, HoldOutTheRowsThatTheyName) {
  // By hand: for each fold, the other rows alone.
  const auto rows = labelled_rows(two_classes(), 90);
  std::vector<std::int32_t> fold;
  for (std::size_t i = 0; i < rows.size(); ++i) fold.push_back(i < 20 ? 2 : (i < 50 ? 0 : 1));
  TrainSpec spec = margin_spec();
  spec.options["gap"] = 1e-10;
  const auto source = shard_of(rows, two_classes());
  const Selection found = select(*source, spec, lambdas("0.05"), fold, {});
  double mistakes = 0;
  for (std::int32_t k = 0; k < 3; ++k) {
    std::vector<PlainRow> others;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (fold[i] != k) others.push_back(rows[i]);
    }
    for (std::size_t i = 0; i < others.size(); ++i) others[i].number = static_cast<std::int64_t>(i);
    spec.options["lambda"] = 0.05;
    const Model model = fit(*shard_of(others, two_classes()), spec).model;
    source->rewind(0);
    while (const auto batch = source->next()) {
      std::vector<double> z(static_cast<std::size_t>(batch->rows));
      score(model, *batch, z);
      for (std::int64_t i = 0; i < batch->rows; ++i) {
        const auto row = static_cast<std::size_t>(batch->number_of(i));
        if (fold[row] == k && rows[row].label * z[static_cast<std::size_t>(i)] <= 0) ++mistakes;
      }
    }
  }
  EXPECT_EQ(found.path[0].held_out->error, mistakes / static_cast<double>(rows.size()));
}

TEST(GivenFolds, ThatAreNoPartOfTheRowsAreRefused) {
  const auto rows = labelled_rows(two_classes(), 6);
  const auto source = shard_of(rows, two_classes());
  const auto refused = [&](const std::vector<std::int32_t>& fold, std::int64_t cv = 0) {
    try {
      select(*source, margin_spec(), lambdas("1", cv), fold, {});
    } catch (const Error& error) {
      return error.kind() == Error::Kind::kUsage;
    }
    return false;
  };
  EXPECT_TRUE(refused({0, 1, 0, 1, 0}));           // a row is missing
  EXPECT_TRUE(refused({0, 1, 0, 1, 0, -1}));       // held out by none
  EXPECT_TRUE(refused({0, 0, 0, 0, 0, 0}));        // one fold
  EXPECT_TRUE(refused({0, 2, 0, 2, 0, 2}));        // fold 1 has no row
  EXPECT_TRUE(refused({0, 1, 0, 1, 0, 1000000}));  // far too many
  EXPECT_TRUE(refused({0, 1, 0, 1, 0, 1}, 3));     // "cv" says another number
  EXPECT_FALSE(refused({0, 1, 0, 1, 0, 1}, 2));
}

TEST(GivenFolds, AreNotKeptInACheckpoint) {
  const auto source = shard_of(labelled_rows(two_classes(), 6), two_classes());
  TrainOptions limits;
  limits.checkpoint.path = "never-written";
  EXPECT_THROW(select(*source, margin_spec(), lambdas("1"), std::vector<std::int32_t>{0, 1, 0, 1, 0, 1}, limits),
               Error);
}

}  // namespace
}  // namespace linsep

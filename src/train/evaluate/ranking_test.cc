// What `evaluate` reports about rankings, thresholds and calibration.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/random.h"
#include "format/text/test_input.h"
#include "linsep/arrays.h"
#include "linsep/read.h"
#include "linsep/train.h"

namespace linsep {
namespace {

/// z = x.
Model identity(std::uint32_t features = 1) {
  Model model;
  model.learner = "perceptron";
  model.features = features;
  model.theta.assign(features, 1);
  return model;
}

/// Rows with one feature, which is the score.
struct Scored {
  std::vector<double> x, y;
  std::unique_ptr<Source> source() const { return label_rows(dense_rows(x, 1), y, false); }
};

Scored drawn(int rows) {
  Random random(17);
  Scored all;
  for (int i = 0; i < rows; ++i) {
    all.y.push_back(random.below(3) == 0 ? 1 : -1);
    all.x.push_back(std::floor(40 * (random.normal() + 0.7 * all.y.back())) / 40);
  }
  all.y[0] = 1;
  all.y[1] = -1;
  return all;
}

TEST(EvaluateRanking, CountsEveryScore) {
  const Scored rows{{3, 2, 2, 1, -1}, {1, 1, -1, -1, 1}};
  const Evaluation result = evaluate(*rows.source(), identity(), true);
  ASSERT_EQ(result.scores.size(), 1U);
  const ScoreCounts& counts = result.scores[0];
  EXPECT_EQ(counts.dropped_bits, 0);
  ASSERT_EQ(counts.places.size(), 4U);
  EXPECT_EQ(counts.places[1].least, 2);
  EXPECT_EQ(counts.places[1].negative, 1);
  EXPECT_EQ(counts.places[1].positive, 1);
  EXPECT_EQ(result.area_under_curve, rank_rows(counts).area_under_curve.at_least);
  EXPECT_TRUE(evaluate(*rows.source(), identity()).scores.empty()) << "not asked for";
}

TEST(EvaluateRanking, LeavesOutScoresThatAreNotFinite) {
  const double huge = std::numeric_limits<double>::max();
  const Scored rows{{huge, 1, -1}, {-1, 1, -1}};
  Model model = identity();
  model.theta = {4};
  const Evaluation result = evaluate(*rows.source(), model, true);
  EXPECT_EQ(result.not_finite, 1);
  EXPECT_EQ(result.scores[0].places.size(), 2U);
  EXPECT_EQ(result.area_under_curve, 1);
}

TEST(EvaluateThreshold, MistakesAreWrongPredictions) {
  const Scored rows{{-2, -1, 0, 1, 2}, {-1, 1, -1, -1, 1}};
  Model model = identity();
  EXPECT_EQ(evaluate(*rows.source(), model).mistakes, 3) << "the boundary is a mistake for both classes";
  model.threshold = 1;
  const Evaluation result = evaluate(*rows.source(), model);
  EXPECT_EQ(result.mistakes, 2);
  EXPECT_EQ(result.true_positive, 1);
  EXPECT_EQ(result.false_positive, 1);
  EXPECT_EQ(result.false_negative, 1);
  EXPECT_EQ(result.true_negative, 2);
  model.schema.classes = {"no", "yes"};
  EXPECT_EQ(predict(model, dense_rows(rows.x, 1)), (std::vector<std::string>{"no", "no", "no", "yes", "yes"}));
}

TEST(EvaluateThreshold, OfLeastCostHasTheConfusionThatWasPromised) {
  const Scored rows = drawn(400);
  Model model = identity();
  const LeastCost least = least_cost(evaluate(*rows.source(), model, true).scores[0], 5, 1);
  model.threshold = least.at.threshold;
  const Evaluation result = evaluate(*rows.source(), model);
  EXPECT_EQ(result.true_positive, least.at.true_positive);
  EXPECT_EQ(result.false_positive, least.at.false_positive);
  EXPECT_EQ(result.mistakes, least.at.false_positive + least.at.false_negative);
}

TEST(EvaluateProbabilities, EqualCountBinsHoldTheSameRowsInOrder) {
  const Scored rows = drawn(1000);
  Model model = identity();
  model.calibration.kind = Calibration::Kind::kSigmoid;
  const Evaluation result = evaluate(*rows.source(), model, true);
  ASSERT_TRUE(result.probabilities);
  const auto& bins = result.probabilities->equal_count;
  ASSERT_EQ(bins.size(), 10U);
  std::int64_t all = 0, positive = 0;
  double predicted = 0, sum = 0;
  for (std::size_t k = 0; k < bins.size(); ++k) {
    EXPECT_NEAR(static_cast<double>(bins[k].rows), 100, 20);
    all += bins[k].rows;
    positive += bins[k].positive;
    predicted += bins[k].predicted * static_cast<double>(bins[k].rows);
    if (k > 0) {
      EXPECT_GT(bins[k].predicted, bins[k - 1].predicted);
    }
  }
  for (const double z : rows.x) sum += positive_probability(model.calibration, z);
  EXPECT_EQ(all, 1000);
  EXPECT_EQ(positive, result.true_positive + result.false_negative);
  EXPECT_NEAR(predicted, sum, 1e-9);
  EXPECT_TRUE(evaluate(*rows.source(), model).probabilities->equal_count.empty()) << "not asked for";
}

TEST(EvaluateRanking, OfSeveralClassesIsEachAgainstTheRest) {
  Model model = identity(3);
  model.form = Model::Form::kClasses;
  model.theta = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  model.offsets = {0, 0, 0};
  model.schema.classes = {"a", "b", "c"};
  Random random(4);
  std::vector<double> x, y;
  for (int i = 0; i < 90; ++i) {
    y.push_back(static_cast<double>(random.below(3)));
    for (int c = 0; c < 3; ++c) x.push_back(random.uniform() + (y.back() == c ? 0.3 : 0));
  }
  const auto source = label_rows(dense_rows(x, 3), y, false);
  const Evaluation result = evaluate(*source, model, true);
  ASSERT_EQ(result.scores.size(), 3U);
  for (std::size_t c = 0; c < 3; ++c) {
    double wins = 0, pairs = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      for (std::size_t j = 0; j < y.size(); ++j) {
        if (y[i] != static_cast<double>(c) || y[j] == static_cast<double>(c)) continue;
        ++pairs;
        wins += x[3 * i + c] > x[3 * j + c] ? 1 : 0;
      }
    }
    EXPECT_NEAR(rank_rows(result.scores[c]).area_under_curve.at_least, wins / pairs, 1e-12);
  }
}

TEST(EvaluateRanking, IsTheSameForAnyThreadsAndWorkers) {
  const Scored rows = drawn(300);
  std::string text;
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    text += (rows.y[i] > 0 ? "1 1:" : "-1 1:") + std::to_string(rows.x[i]) + "\n";
  }
  const test::TempFile file(text);
  const std::vector<std::string> paths{file.path()};
  Model model = identity();
  model.calibration.kind = Calibration::Kind::kSigmoid;
  const auto source = load(paths, {}, *solo());
  const Evaluation alone = evaluate(*source, model, true);
  for (const int workers : {2, 3, 5}) {
    run_threads(workers, [&](Comm& comm) {
      const auto shard = load(paths, {}, comm);
      const Evaluation together = evaluate(*shard, model, true, comm);
      EXPECT_EQ(together.area_under_curve, alone.area_under_curve);
      ASSERT_EQ(together.scores[0].places.size(), alone.scores[0].places.size());
      for (std::size_t k = 0; k < 10; ++k) {
        EXPECT_EQ(together.probabilities->equal_count[k].predicted, alone.probabilities->equal_count[k].predicted);
      }
    });
  }
}

}  // namespace
}  // namespace linsep

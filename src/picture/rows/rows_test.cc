// Points, cells, bins and thresholds. Every row counts, and the same rows are drawn whatever the batches.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "linsep/train.h"
#include "picture/rows/test_rows.h"

namespace linsep {
namespace {

std::int64_t sum_of(const std::vector<std::int64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

TEST(PictureRows, OneRowIsAPoint) {
  const auto source = rows_of({{1, {2, 3}}});
  const Picture picture = picture_of(*source, {});
  ASSERT_TRUE(picture.points);
  EXPECT_EQ(picture.points->how, "all");
  ASSERT_EQ(picture.points->at.size(), 1U);
  EXPECT_EQ(picture.points->at[0].x, 2);
  EXPECT_EQ(picture.points->at[0].label, 1);
  EXPECT_EQ(picture.about.task, "one-class");
  EXPECT_EQ(picture.about.class_rows, (std::vector<std::int64_t>{0, 1}));
  EXPECT_LT(picture.plane->x.low, 2);
  EXPECT_GT(picture.plane->x.high, 2);
}

TEST(PictureRows, AsManyRowsAsAskedForAreAllPointsAndOneMoreIsDrawnAndBinned) {
  const Model model = linear_model({1, 1, 1}, 0.1);
  const auto all = rows_of(noisy_rows(2000, 3));
  const Picture whole = picture_of(*all, {&model});
  EXPECT_EQ(whole.points->how, "all");
  EXPECT_EQ(whole.points->shown, 2000);
  EXPECT_FALSE(whole.cells);

  const auto more = rows_of(noisy_rows(2001, 3));
  const Picture drawn = picture_of(*more, {&model});
  EXPECT_EQ(drawn.points->how, "drawn");
  EXPECT_EQ(drawn.points->total, 2001);
  EXPECT_EQ(drawn.points->shown, 2000);
  ASSERT_TRUE(drawn.cells);
  EXPECT_EQ(drawn.cells->x.size(), 41U);
  EXPECT_EQ(drawn.cells->y.size(), 31U);
  EXPECT_EQ(sum_of(drawn.cells->negative), drawn.about.class_rows[0]);
  EXPECT_EQ(sum_of(drawn.cells->positive), drawn.about.class_rows[1]);
}

TEST(PictureRows, WithoutRowsNothingOfASingleRowIsThere) {
  const Model model = linear_model({1, 1}, 0);
  const auto source = rows_of(noisy_rows(50, 2));
  PictureSpec spec;
  spec.no_rows = true;
  const Picture picture = picture_of(*source, {&model}, spec);
  EXPECT_EQ(picture.points->how, "binned");
  EXPECT_TRUE(picture.points->at.empty());
  EXPECT_EQ(sum_of(picture.cells->negative) + sum_of(picture.cells->positive), 50);
  for (const Picture::Path& path : picture.paths) EXPECT_FALSE(path.kind.starts_with("hull"));
}

TEST(PictureRows, BinsAndThresholdsAddUpToWhatEvaluateCounts) {
  const Model model = linear_model({1, 0.5, 2}, -0.25);
  const auto source = rows_of(noisy_rows(3000, 3));
  const Picture picture = picture_of(*source, {&model});
  const Evaluation evaluation = evaluate(*source, model, true);
  std::int64_t negative = 0, positive = 0, wrong = 0;
  EXPECT_LE(picture.distances->bins.size(), 60U);
  bool has_zero = false;
  for (const auto& bin : picture.distances->bins) {
    negative += bin.negative;
    positive += bin.positive;
    wrong += bin.low >= 0 ? bin.negative : bin.positive;
    has_zero = has_zero || bin.low == 0;
  }
  EXPECT_TRUE(has_zero);
  EXPECT_EQ(negative, picture.about.class_rows[0]);
  EXPECT_EQ(positive, picture.about.class_rows[1]);
  EXPECT_EQ(wrong, evaluation.mistakes);
  EXPECT_EQ(picture.models[0].mistakes, evaluation.mistakes);

  const Picture::Thresholds& thresholds = *picture.thresholds;
  EXPECT_LE(thresholds.at.size(), 512U);
  EXPECT_GT(thresholds.at.size(), 300U);
  const auto& chosen = thresholds.at[thresholds.chosen];
  EXPECT_EQ(chosen.threshold, 0);
  EXPECT_EQ(chosen.tp, evaluation.true_positive);
  EXPECT_EQ(chosen.fp, evaluation.false_positive);
  EXPECT_EQ(chosen.tn, evaluation.true_negative);
  EXPECT_EQ(chosen.fn, evaluation.false_negative);
  EXPECT_EQ(thresholds.at.front().tp + thresholds.at.front().fp, 0);
  EXPECT_EQ(thresholds.at.back().tn + thresholds.at.back().fn, 0);
  EXPECT_DOUBLE_EQ(thresholds.area_under_curve, evaluation.area_under_curve);
  for (std::size_t k = 1; k < thresholds.at.size(); ++k) {
    EXPECT_LT(thresholds.at[k].threshold, thresholds.at[k - 1].threshold);
    EXPECT_EQ(thresholds.at[k].tp + thresholds.at[k].fp + thresholds.at[k].tn + thresholds.at[k].fn, 3000);
  }
}

TEST(PictureRows, TheSameDocumentForAnyBatchesAndThreads) {
  const Model model = linear_model({1, 0.5, 2}, -0.25);
  std::set<std::string> documents;
  for (const std::size_t page_rows : {7U, 1000U, 5000U}) {
    for (const int threads : {1, 3}) {
      const auto source = rows_of(noisy_rows(3000, 3), page_rows);
      PictureSpec spec;
      spec.limits.threads = threads;
      spec.rows = 100;
      documents.insert(picture_to_json(picture_of(*source, {&model}, spec)));
    }
  }
  EXPECT_EQ(documents.size(), 1U);
}

TEST(PictureRows, AnotherSeedDrawsOtherRows) {
  const auto source = rows_of(noisy_rows(500, 3));
  PictureSpec spec;
  spec.rows = 50;
  const Picture one = picture_of(*source, {}, spec);
  spec.seed = 2;
  const Picture two = picture_of(*source, {}, spec);
  std::vector<std::int64_t> first, second;
  for (const auto& at : one.points->at) first.push_back(at.row);
  for (const auto& at : two.points->at) second.push_back(at.row);
  EXPECT_EQ(first.size(), 50U);
  EXPECT_NE(first, second);
}

TEST(PictureRows, CoincidentRowsOfAClassAreOneMark) {
  const auto source = rows_of({{1, {1, 1}}, {-1, {1, 1}}, {1, {1, 1}}, {1, {2, 1}}});
  const Picture picture = picture_of(*source, {});
  EXPECT_EQ(picture.points->shown, 4);
  ASSERT_EQ(picture.points->at.size(), 3U);
  EXPECT_EQ(picture.points->at[0].together, 2);
  EXPECT_EQ(picture.points->at[1].together, 1);
}

TEST(PictureRows, RolesAndMarginsAreTheFirstModels) {
  const Model model = linear_model({1, 0}, -1);
  const auto source = rows_of({{1, {3, 0}}, {-1, {2, 0}}, {1, {1, 0}}});
  const Picture picture = picture_of(*source, {&model});
  EXPECT_EQ(picture.points->at[0].role, "right");
  EXPECT_EQ(picture.points->at[0].margin, 2);
  EXPECT_EQ(picture.points->at[1].role, "wrong");
  EXPECT_EQ(picture.points->at[1].margin, -1);
  EXPECT_EQ(picture.points->at[2].role, "wrong") << "on the boundary";
}

TEST(PictureRows, TwoModelsDisagreeOnRows) {
  const Model first = linear_model({1, 0}, 0), second = linear_model({0, 1}, 0);
  const auto source = rows_of({{1, {1, 1}}, {1, {1, -1}}, {-1, {-1, 1}}, {-1, {-1, -1}}});
  const Picture picture = picture_of(*source, {&first, &second});
  EXPECT_EQ(picture.models[0].mistakes, 0);
  EXPECT_EQ(picture.models[1].mistakes, 2);
  EXPECT_EQ(picture.models[1].disagreements, 2);
  EXPECT_EQ(picture.models[0].margin, 1);
}

TEST(PictureRows, NoRowsIsNoPlane) {
  const Model model = linear_model({1, 0}, 0);
  const auto source = rows_of({});
  const Picture picture = picture_of(*source, {&model});
  EXPECT_EQ(picture.about.rows, 0);
  EXPECT_FALSE(picture.plane);
  EXPECT_FALSE(picture.distances);
  EXPECT_FALSE(picture.thresholds);
  EXPECT_TRUE(picture.weights);
}

TEST(PictureRows, ThetaZeroHasNoBoundaryAndNoDistances) {
  const Model model = linear_model({0, 0, 0}, 0);
  const auto source = rows_of(noisy_rows(20, 3));
  const Picture picture = picture_of(*source, {&model});
  EXPECT_EQ(picture.plane->kind, "components");
  EXPECT_FALSE(picture.distances);
  EXPECT_EQ(picture.models[0].mistakes, 20);
  EXPECT_FALSE(picture.models[0].margin);
}

TEST(PictureRows, ScoresThatAreNotFiniteAreCounted) {
  const Model model = linear_model({1e308, 1e308, 1}, 0);
  const auto source = rows_of({{1, {10, 10, 1}}, {-1, {-1e-300, 0, 1}}, {1, {1e-300, 0, 2}}});
  const Picture picture = picture_of(*source, {&model});
  EXPECT_EQ(picture.about.not_finite, 1);
  EXPECT_EQ(picture.points->shown, 2);
  EXPECT_EQ(picture.models[0].mistakes, evaluate(*source, model).mistakes);
}

TEST(PictureRows, InManyFeaturesXIsTheDistanceFromTheBoundaryAndYLiesAcross) {
  const Model model = linear_model({0, 0, 2}, -2);
  // Apart from the third feature, which alone decides, rows vary along the first most.
  const auto source = rows_of({{1, {-5, 0, 2}}, {1, {5, 0.5, 3}}, {-1, {-4, -0.5, 0}}, {-1, {4, 0, -1}}});
  const Picture picture = picture_of(*source, {&model});
  ASSERT_EQ(picture.plane->kind, "boundary");
  EXPECT_EQ(picture.points->at[0].x, 1);
  EXPECT_EQ(picture.points->at[3].x, -2);
  EXPECT_NEAR(picture.points->at[1].y - picture.points->at[0].y, 10, 0.1);
  ASSERT_FALSE(picture.paths.empty());
  EXPECT_EQ(picture.paths[0].kind, "boundary");
  EXPECT_EQ(picture.paths[0].points[0].x, 0);
}

TEST(PictureRows, NamedFeaturesAreShownWithoutABoundary) {
  const Model model = linear_model({1, 1, 1}, 0);
  const auto source = rows_of(noisy_rows(20, 3));
  PictureSpec spec;
  spec.x = "3";
  spec.y = "x1";
  const Picture picture = picture_of(*source, {&model}, spec);
  EXPECT_EQ(picture.plane->kind, "features");
  EXPECT_EQ(picture.plane->x_column, 2U);
  EXPECT_EQ(picture.plane->y_column, 0U);
  EXPECT_TRUE(picture.paths.empty());
  spec.x = "nothing";
  EXPECT_THROW(picture_of(*source, {&model}, spec), Error);
}

TEST(PictureRows, AModelOfOtherClassesIsRefused) {
  Model model = linear_model({1, 1}, 0);
  model.schema.classes = {"ham", "spam"};
  const auto source = rows_of(noisy_rows(20, 2));
  EXPECT_THROW(picture_of(*source, {&model}), Error);
}

}  // namespace
}  // namespace linsep

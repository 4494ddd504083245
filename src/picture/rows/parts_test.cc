// Weights, calibration, confusion, residuals and paths.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "picture/parts.h"
#include "picture/rows/test_rows.h"
#include "report/words.h"

namespace linsep {
namespace {

TEST(PictureParts, TheHeaviestFortyWeightsAndTheShareOfTheRest) {
  std::vector<double> theta(100, 1.0);
  theta[70] = -50;
  theta[5] = 0;
  const Model model = linear_model(theta, 2.5);
  const Picture picture = make_picture({.models = {{"m", &model, {}}}}, {});
  ASSERT_TRUE(picture.weights);
  EXPECT_EQ(picture.weights->heaviest.size(), 40U);
  EXPECT_EQ(picture.weights->heaviest[0].column, 70U);
  EXPECT_EQ(picture.weights->heaviest[0].name, "x71");
  EXPECT_EQ(picture.weights->heaviest[0].text, "−50");
  EXPECT_EQ(picture.weights->rest, 59);
  EXPECT_NEAR(picture.weights->rest_share, 59.0 / (2500 + 98), 1e-12);
  EXPECT_EQ(picture.weights->offset, 2.5);
}

TEST(PictureParts, WeightsThatDifferAreLabelledDifferentlyHoweverWellTheyAreKnown) {
  Model model = linear_model({2, 1.6, -0.0123456}, 0);
  model.weight_error = 0.7;
  const Picture picture = make_picture({.models = {{"m", &model, {}}}}, {});
  ASSERT_TRUE(picture.weights && picture.weights->heaviest.size() == 3);
  EXPECT_EQ(picture.weights->heaviest[0].text, "2");
  EXPECT_EQ(picture.weights->heaviest[1].text, "1.6");
  EXPECT_EQ(picture.weights->heaviest[2].text, "−0.01235");
  const auto said =
      std::ranges::find_if(picture.sentences, [](const Picture::Sentence& one) { return one.role == "note"; });
  ASSERT_NE(said, picture.sentences.end());
  EXPECT_EQ(said->text,
            "Each weight is within ±0.7 of its best possible value, as claimed by the run that trained it.");
}

TEST(PictureParts, NamesAreEscapedAndCutAtSixtyCharacters) {
  EXPECT_EQ(short_text("<b>\"x\""), "<b>\"x\"");
  EXPECT_EQ(short_text("a\xe2\x80\xae"
                       "b"),
            "a\\u202eb");
  EXPECT_EQ(short_text(std::string(60, 'a')), std::string(60, 'a'));
  EXPECT_EQ(short_text(std::string(61, 'a')), std::string(59, 'a') + "…");
  EXPECT_EQ(short_text(std::string(10000, 'a')), std::string(59, 'a') + "…");
  std::string greek;
  for (int i = 0; i < 61; ++i) greek += "θ";
  EXPECT_EQ(short_text(greek), greek.substr(0, 118) + "…");
  EXPECT_EQ(short_text("\xff"), "\\xff");
}

TEST(PictureParts, CalibrationHasWilsonsInterval) {
  Model model = linear_model({1}, 0);
  model.calibration.kind = Calibration::Kind::kSigmoid;
  // At z = 0 the probability is 0.5, and 8 of 10 rows are positive. Wilson's interval of 8/10 is 0.4902 to 0.9433.
  std::vector<std::pair<double, std::vector<double>>> rows;
  for (int i = 0; i < 10; ++i) rows.push_back({i < 8 ? 1.0 : -1.0, {0}});
  const auto source = rows_of(rows);
  const Picture picture = picture_of(*source, {&model});
  ASSERT_TRUE(picture.calibration);
  ASSERT_EQ(picture.calibration->bins.size(), 10U);
  const auto& bin = picture.calibration->bins[5];
  EXPECT_EQ(bin.rows, 10);
  EXPECT_DOUBLE_EQ(bin.observed, 0.8);
  EXPECT_NEAR(bin.low, 0.4902, 5e-5);
  EXPECT_NEAR(bin.high, 0.9433, 5e-5);
  EXPECT_EQ(picture.calibration->bins[0].rows, 0);
  EXPECT_TRUE(std::isnan(picture.calibration->bins[0].observed));
}

/// A model of `classes` classes whose prediction is always the second.
Model many_classes(std::size_t classes) {
  Model model = linear_model({}, 0);
  model.form = Model::Form::kClasses;
  model.features = 2;
  model.theta.assign(2 * classes, 0);
  model.offsets.assign(classes, 0);
  model.offsets[1] = 1;
  model.schema.classes.clear();
  for (std::size_t c = 0; c < classes; ++c) model.schema.classes.push_back("c" + std::to_string(c));
  return model;
}

TEST(PictureParts, OfManyClassesTheThirtyMostConfusedAreShown) {
  const Model model = many_classes(40);
  std::vector<std::pair<double, std::vector<double>>> rows;
  for (int c = 0; c < 40; ++c) {
    for (int n = 0; n <= c; ++n) rows.push_back({static_cast<double>(c), {1, 1}});
  }
  const auto source = rows_of(rows, 1000, model.schema);
  const Picture picture = picture_of(*source, {&model});
  EXPECT_EQ(picture.about.task, "several-classes");
  ASSERT_TRUE(picture.confusion);
  EXPECT_EQ(picture.confusion->classes.size(), 30U);
  EXPECT_EQ(picture.confusion->left_out, 10);
  EXPECT_EQ(picture.confusion->classes[0], "c1");
  EXPECT_EQ(picture.confusion->classes[1], "c11");
  EXPECT_EQ(picture.confusion->counts[0], 2) << "rows of c1 that are predicted as c1";
  EXPECT_EQ(picture.confusion->counts[30], 12) << "rows of c11 that are predicted as c1";
}

TEST(PictureParts, ARegressionHasResidualsAndNoPlane) {
  Model model = linear_model({2}, 0);
  model.regression = true;
  model.schema.classes.clear();
  const auto source = rows_of({{3, {1}}, {3, {2}}, {6, {3}}}, 1000, {});
  const Picture picture = picture_of(*source, {&model});
  EXPECT_EQ(picture.about.task, "regression");
  EXPECT_FALSE(picture.plane);
  ASSERT_TRUE(picture.residuals);
  EXPECT_EQ(picture.residuals->at.size(), 3U);
  EXPECT_EQ(picture.residuals->at[1].predicted, 4);
  EXPECT_EQ(picture.residuals->at[1].label, 3);
  EXPECT_DOUBLE_EQ(picture.residuals->root_mean_square, std::sqrt(2.0 / 3));
  std::int64_t rows = 0;
  for (const auto& bin : picture.residuals->bins) rows += bin.rows;
  EXPECT_EQ(rows, 3);
  EXPECT_FALSE(picture.models[0].mistakes);
}

const Picture::Path* path_of(const Picture& picture, const std::string& kind) {
  for (const Picture::Path& path : picture.paths) {
    if (path.kind == kind) return &path;
  }
  return nullptr;
}

TEST(PictureParts, BoundaryHullsAndHalfSpacesOfTwoFeatures) {
  const Model model = linear_model({2, 2}, -3);
  const auto source = rows_of({{-1, {0, 0}}, {-1, {0, 1}}, {-1, {1, 0}}, {1, {1, 1}}});
  const Picture picture = picture_of(*source, {&model});
  const Picture::Path* boundary = path_of(picture, "boundary");
  ASSERT_NE(boundary, nullptr);
  for (const PlanePoint& p : boundary->points) EXPECT_NEAR(p.x + p.y, 1.5, 1e-12);
  EXPECT_EQ(picture.models[0].label_at, boundary->points.back());
  const Picture::Path* hull = path_of(picture, "hull-negative");
  ASSERT_NE(hull, nullptr);
  EXPECT_TRUE(hull->closed);
  EXPECT_EQ(hull->points.size(), 3U);
  EXPECT_EQ(path_of(picture, "margin-positive"), nullptr) << "z = ±1 mean nothing to a perceptron";
  ASSERT_TRUE(picture.half_spaces);
  for (const PlanePoint& p : picture.half_spaces->positive) EXPECT_GE(p.x + p.y, 1.5 - 1e-12);
}

TEST(PictureParts, AModelOfAMapHasACurvedBoundary) {
  Model model = linear_model({2, 2, -5}, -1);
  model.features = 2;
  model.map = {FeatureMap::Kind::kProducts, 2};
  const auto source = rows_of({{-1, {0, 0}}, {1, {0, 1}}, {1, {1, 0}}, {-1, {1, 1}}});
  const Picture picture = picture_of(*source, {&model});
  const Picture::Path* boundary = path_of(picture, "boundary");
  ASSERT_NE(boundary, nullptr);
  EXPECT_GT(boundary->points.size(), 10U);
  for (const PlanePoint& p : boundary->points) EXPECT_NEAR(2 * p.x + 2 * p.y - 5 * p.x * p.y - 1, 0, 2e-3);
  EXPECT_FALSE(picture.half_spaces);
}

TEST(PictureParts, OneFeatureIsALine) {
  const Model model = linear_model({-2}, 1);
  const auto source = rows_of({{1, {0}}, {-1, {1}}});
  const Picture picture = picture_of(*source, {&model});
  EXPECT_EQ(picture.plane->kind, "feature");
  const Picture::Path* boundary = path_of(picture, "boundary");
  ASSERT_NE(boundary, nullptr);
  EXPECT_EQ(boundary->points[0].x, 0.5);
  EXPECT_EQ(boundary->points[1].x, 0.5);
  EXPECT_EQ(picture.points->at[1].y, 0);
}

TEST(PictureParts, TheLengthOfADualClassifierIsThatOfItsTheta) {
  Model dual = linear_model({}, 0);
  dual.form = Model::Form::kDual;
  dual.features = 2;
  dual.kept = {{0, 2, 3}, {0, 1, 0}, {1, 2, 3}};
  dual.coefficient = {2, -1};  // θ = 2·(1, 2) − (3, 0) = (−1, 4)
  EXPECT_DOUBLE_EQ(norm_of(dual), std::sqrt(17.0));
}

}  // namespace
}  // namespace linsep

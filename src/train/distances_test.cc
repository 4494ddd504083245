#include "linsep/tools/distances.h"

#include <gtest/gtest.h>

#include <cmath>

#include "linsep/error.h"
#include "train/certify/oracle.h"

namespace linsep {
namespace {

SmallSet points() {
  SmallSet set;
  set.text = {{"0", "0"}, {"1", "0"}, {"3", "0"}, {"4", "4"}, {"2", "1"}};
  set.label = {-1, -1, 1, 1, -1};
  set.features = 2;
  return set;
}

Model classifier(std::vector<double> theta, double offset) {
  Model model;
  model.learner = "perceptron";
  model.theta = std::move(theta);
  model.offset = offset;
  model.features = 2;
  return model;
}

TEST(Distances, AreMarginsOverTheNormWithoutTheOffset) {
  const SmallSet set = points();
  SmallSource source(set, 2);
  const Distances found = measure_distances(source, classifier({3, 4}, -6), 0);
  EXPECT_EQ(found.norm, 5);
  EXPECT_EQ(found.width(), 0.4);
  EXPECT_EQ(found.margin, (std::vector<double>{6, 3, 3, 22, -4}));
  EXPECT_EQ(found.distance(0), 1.2);
  EXPECT_EQ(found.least_row, 4);
  EXPECT_EQ(found.mistakes, 1);
  EXPECT_FALSE(found.objective.has_value()) << "a perceptron has none";
}

TEST(Distances, ARowOnTheMarginIsASupportVectorButNotInside) {
  const SmallSet set = points();
  SmallSource source(set);
  const Distances found = measure_distances(source, classifier({1, 0}, -2), 1e-9);
  EXPECT_EQ(found.margin, (std::vector<double>{2, 1, 1, 2, 0}));
  EXPECT_EQ(found.support, (std::vector<std::int64_t>{1, 2, 4}));
  EXPECT_EQ(found.inside, 1);
  EXPECT_EQ(found.mistakes, 1) << "a row on the boundary is a mistake";
}

TEST(Distances, TheObjectiveIsThatOfTheModelsOptions) {
  const SmallSet set = points();
  SmallSource source(set);
  Model model = classifier({1, 0}, -2);
  model.learner = "margin";
  model.options = {{"lambda", 0.5}, {"positive-weight", 3.0}};
  Distances found = measure_distances(source, model, 0);
  ASSERT_TRUE(found.objective.has_value());
  EXPECT_DOUBLE_EQ(found.objective->mean_loss, 1.0 / 9);
  EXPECT_DOUBLE_EQ(found.objective->value, 1.0 / 9 + 0.25);
  model.options = {{"C", 2.0}};
  found = measure_distances(source, model, 0);
  EXPECT_DOUBLE_EQ(found.objective->lambda, 0.1);
  EXPECT_DOUBLE_EQ(found.objective->value, 0.2 + 0.05);
  model.theta = {1, -0.5};
  model.options = {{"C", 2.0}, {"loss", std::string("logistic")}, {"penalty", std::string("l1")}};
  found = measure_distances(source, model, 0);
  EXPECT_NEAR(found.objective->value - found.objective->mean_loss, 0.1 * 1.5, 1e-15);
  model.options["penalty"] = std::string("elasticnet");
  found = measure_distances(source, model, 0);
  EXPECT_DOUBLE_EQ(found.objective->l1_ratio, 0.5);
  EXPECT_NEAR(found.objective->value - found.objective->mean_loss, 0.1 * (0.75 + 1.25 / 4), 1e-15);
  model.theta = {1, 0};
  model.options = {{"hard", true}};
  EXPECT_DOUBLE_EQ(measure_distances(source, model, 0).objective->value, 0.5);
}

TEST(Distances, NeedALinearClassifier) {
  const SmallSet set = points();
  SmallSource source(set);
  Model model = classifier({1, 0}, 0);
  model.regression = true;
  EXPECT_THROW(measure_distances(source, model, 0), Error);
}

TEST(Histogram, HasZeroAsAnEdgeAndCountsEveryValue) {
  for (const std::size_t most : {2, 5, 12}) {
    const std::vector<double> values = {-0.35, -0.1, 0, 0.02, 0.4, 1.7};
    const std::vector<Bin> bins = histogram(values, most);
    EXPECT_LE(bins.size(), most + 1);
    std::int64_t rows = 0, below = 0;
    for (const Bin& bin : bins) {
      rows += bin.rows;
      EXPECT_FALSE(bin.low < 0 && bin.high > 0);
      if (bin.high <= 0) below += bin.rows;
    }
    EXPECT_EQ(rows, 6);
    EXPECT_EQ(below, 2);
  }
}

TEST(Histogram, TakesOneValueAndNone) {
  EXPECT_TRUE(histogram({}, 5).empty());
  const std::vector<double> one = {3}, odd = {INFINITY, 2, 2};
  EXPECT_EQ(histogram(one, 5).size(), 1U);
  EXPECT_EQ(histogram(odd, 5).front().rows, 2);
}

TEST(Histogram, HoldsValuesOfAnySize) {
  for (const double size : {1e-310, 1e-8, 3e8, 0x1p64, 1e300, 1.7e308}) {
    for (const std::vector<double>& values :
         {std::vector<double>{size, size}, {-size, size}, {size, size * (1 + 1e-12)}, {-size, -size, 0}}) {
      const std::vector<Bin> bins = histogram(values, 12);
      std::int64_t rows = 0;
      for (const Bin& bin : bins) rows += bin.rows;
      EXPECT_EQ(rows, static_cast<std::int64_t>(values.size())) << size;
      EXPECT_LE(bins.size(), 13U) << size;
      EXPECT_LE(bins.front().low, values.front()) << size;
    }
  }
}

}  // namespace
}  // namespace linsep

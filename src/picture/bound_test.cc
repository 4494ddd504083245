#include <gtest/gtest.h>

#include <cmath>

#include "linsep/arrays.h"
#include "linsep/picture/make.h"

namespace linsep {
namespace {

using Numbers = std::vector<double>;

std::optional<Picture::Bound> bound_of(const Numbers& x, std::size_t features, const Numbers& y, bool origin,
                                       const FeatureMap& map = {}) {
  const auto source = label_rows(dense_rows(x, features), y);
  return perceptron_bound(*source, origin, map);
}

const Numbers kCorners = {0, 0, 0, 1, 1, 0, 1, 1};

TEST(PerceptronBound, IsThatOfTheCertifierWhereItHasOne) {
  const auto bound = bound_of(kCorners, 2, {-1, -1, -1, 1}, false);
  ASSERT_TRUE(bound.has_value());
  EXPECT_NEAR(bound->mistakes, 51, 1e-8);
  EXPECT_EQ(bound->mistakes_text, "51");
  EXPECT_NEAR(bound->radius, std::sqrt(3), 1e-12);
  EXPECT_NEAR(bound->margin, 1 / std::sqrt(17), 1e-9);
}

TEST(PerceptronBound, IsThereWhereSignsAloneSettleTheRows) {
  const auto bound_not = bound_of({0, 1}, 1, {1, -1}, false);
  const auto bound_or = bound_of(kCorners, 2, {-1, 1, 1, 1}, false);
  const auto three = bound_of({-1, -1, 1, 0, -1, 1.5}, 2, {1, -1, 1}, true);
  const auto far = bound_of({-1, -1, 1, 0, -1, 10}, 2, {1, -1, 1}, true);
  ASSERT_TRUE(bound_not && bound_or && three && far);
  EXPECT_NEAR(bound_not->mistakes, 10, 1e-8);
  EXPECT_NEAR(bound_or->mistakes, 27, 1e-8);
  EXPECT_NEAR(three->mistakes, 3.25, 1e-8);
  EXPECT_NEAR(far->mistakes, 101, 1e-8);
  EXPECT_EQ(bound_not->mistakes_text, "10");
  EXPECT_EQ(bound_or->mistakes_text, "27");
  EXPECT_EQ(three->mistakes_text, "3");  // a number of mistakes is whole
  EXPECT_EQ(far->mistakes_text, "101");
}

TEST(PerceptronBound, IsNotThereWithoutASeparator) {
  EXPECT_FALSE(bound_of(kCorners, 2, {-1, 1, 1, -1}, false).has_value());
  EXPECT_FALSE(bound_of({1, 2}, 1, {1, -1}, true).has_value());
  EXPECT_TRUE(bound_of({1, 2}, 1, {1, -1}, false).has_value());
  EXPECT_FALSE(bound_of({1, 2}, 1, {1, 1}, false).has_value());  // one class
}

TEST(PerceptronBound, IsOfTheMappedRows) {
  const auto bound = bound_of(kCorners, 2, {-1, 1, 1, -1}, false, parse_map("products"));
  ASSERT_TRUE(bound.has_value());
  EXPECT_GE(bound->mistakes, 29);  // which the perceptron makes
  EXPECT_EQ(bound->radius, 2);
}

TEST(PerceptronBound, IsNotWorkedOutForVeryManyValues) {
  Numbers x(1 << 20), y(1 << 20);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = y[i] = i % 2 == 0 ? 1 : -1;
  EXPECT_FALSE(bound_of(x, 1, y, false).has_value());
}

}  // namespace
}  // namespace linsep

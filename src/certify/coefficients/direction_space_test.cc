#include "certify/coefficients/direction_space.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace linsep {
namespace {

ExactRow row_of(const std::vector<int>& values, int scale = 1) {
  ExactRow row;
  row.scale = scale;
  for (std::uint32_t j = 0; j < values.size(); ++j) {
    if (values[j] == 0) continue;
    row.column.push_back(j);
    row.value.emplace_back(values[j]);
  }
  return row;
}

/// On the rows at zero x2 = 2·x0 − x1/3 and x3 = 0; x4 is in no sum.
std::vector<Separability::Dependent> two_dependent() { return {{2, {{0, Rational(2)}, {1, ratio(-1, 3)}}}, {3, {}}}; }

TEST(DirectionSpace, WithoutRowsAtZeroItIsTheWholeSpace) {
  const DirectionSpace space(3, false, {});
  EXPECT_TRUE(space.whole());
  EXPECT_EQ(space.size(), 3U);
  EXPECT_EQ(space.lift({1, -2, 3}), (IntegerVector{1, -2, 3}));
  EXPECT_FALSE(space.fixed(1));
  EXPECT_EQ(space.rest(row_of({5, 0, -1})).column, (std::vector<std::uint32_t>{0, 2}));
}

TEST(DirectionSpace, ColumnsInNoSumAreFixed) {
  const DirectionSpace space(5, true, two_dependent());
  EXPECT_EQ(space.size(), 2U);
  EXPECT_EQ(space.free_columns(), (std::vector<std::uint32_t>{2, 3}));
  EXPECT_FALSE(space.fixed(0));
  EXPECT_FALSE(space.fixed(3));
  EXPECT_TRUE(space.fixed(4));
}

TEST(DirectionSpace, WhatIsLiftedIsZeroOnRowsAtZero) {
  const DirectionSpace space(5, true, two_dependent());
  const IntegerVector w = space.lift({5, 7});
  for (const auto& z : {row_of({3, 0, 6, 0, 4}), row_of({0, 3, -1, 0, 9}), row_of({1, 1, 0, 0, 0})}) {
    const bool at_zero = exact_dot(z, {2, 0, -1, 0, 0}) * 3 == exact_dot(z, {0, 1, 0, 0, 0});
    EXPECT_EQ(exact_dot(z, w) == 0, at_zero);
  }
}

TEST(DirectionSpace, RestsAndWeightsSayWhatLiftsDo) {
  const DirectionSpace space(5, true, two_dependent());
  Random random(5, 6);
  const auto drawn = [&] { return static_cast<int>(random.below(9)) - 4; };
  for (int i = 0; i < 200; ++i) {
    const ExactRow z = row_of({drawn(), drawn(), drawn(), drawn(), drawn()}, 1 + static_cast<int>(random.below(9)));
    const ExactRow rest = space.rest(z);
    for (std::size_t k = 0; k < 2; ++k) {  // lift is linear: rests of unit vectors tell all
      IntegerVector unit(2);
      unit[k] = 1;
      // lift(e_2) = (−6, 1, 3, 0, 0)/3 and lift(e_3) = e_3, up to their scales
      const IntegerVector column = k == 0 ? IntegerVector{-6, 1, 3, 0, 0} : IntegerVector{0, 0, 0, 1, 0};
      EXPECT_EQ(space.lift(unit), column);
      const Rational expected = Rational(exact_dot(z, column)) / z.scale / (k == 0 ? 3 : 1);
      EXPECT_EQ(Rational(exact_dot(rest, unit)) / rest.scale, expected);
    }
    const IntegerVector f{drawn(), drawn()};
    const IntegerVector w = space.lift(f);
    for (std::uint32_t j = 0; j < 4; ++j) {
      for (const int sign : {-1, 1}) {
        const ExactRow weight = space.weight_at(j, sign, -1);
        EXPECT_EQ(sign_of(exact_dot(weight, f)), sign * sign_of(w[j]));
      }
    }
  }
}

}  // namespace
}  // namespace linsep

#include "proof/columns.h"

#include <gtest/gtest.h>

#include <set>

namespace linsep {
namespace {

// Every product in order, by the definition.
std::vector<std::vector<std::uint32_t>> all_products(const Columns& columns) {
  std::vector<std::vector<std::uint32_t>> all;
  std::vector<std::vector<std::uint32_t>> last = {{}};
  for (int k = 1; k <= columns.degree(); ++k) {
    std::vector<std::vector<std::uint32_t>> next;
    for (const auto& list : last) {
      const bool distinct = columns.map.kind == FeatureMap::Kind::kProducts;
      for (std::uint32_t j = list.empty() ? 0 : list.back() + (distinct ? 1 : 0); j < columns.features; ++j) {
        next.push_back(list);
        next.back().push_back(j);
      }
    }
    all.insert(all.end(), next.begin(), next.end());
    last = std::move(next);
  }
  return all;
}

TEST(Columns, NumbersAndNamesFollowTheDefinition) {
  for (const FeatureMap map :
       {FeatureMap{}, FeatureMap{FeatureMap::Kind::kProducts, 1}, FeatureMap{FeatureMap::Kind::kPolynomial, 2},
        FeatureMap{FeatureMap::Kind::kPolynomial, 3}, FeatureMap{FeatureMap::Kind::kPolynomial, 4}}) {
    for (std::uint32_t features = 0; features <= 6; ++features) {
      const Columns columns{map, features, false};
      const auto products = all_products(columns);
      ASSERT_EQ(columns.mapped(), products.size());
      for (std::uint32_t j = 0; j < products.size(); ++j) {
        EXPECT_EQ(columns.factors(j), products[j]);
        EXPECT_EQ(columns.number(products[j]), j);
        EXPECT_EQ(columns.number(columns.name(j)), j);
      }
    }
  }
}

TEST(Columns, TheOffsetIsTheLastColumn) {
  const Columns with{{}, 3, false};
  EXPECT_EQ(with.name(3), "offset");
  EXPECT_EQ(with.number("offset"), 3U);
  EXPECT_EQ(with.count(), 4U);
  const Columns through_origin{{}, 3, true};
  EXPECT_EQ(through_origin.number("offset"), std::nullopt);
  EXPECT_EQ(through_origin.count(), 3U);
}

TEST(Columns, OtherNamesAreRefused) {
  const Columns columns{{FeatureMap::Kind::kProducts, 1}, 5, false};
  EXPECT_EQ(columns.name(*columns.number("2*5")), "2*5");
  for (const char* name :
       {"", "0", "6", "01", "5*2", "2*2", "1*2*3", "*1", "1*", "1**2", "x", "-1", "1 ", "4294967297"}) {
    EXPECT_EQ(columns.number(name), std::nullopt) << name;
  }
}

TEST(Columns, TooManyAreRefused) {
  EXPECT_EQ((Columns{{FeatureMap::Kind::kPolynomial, 3}, 47236, false}).mapped(), std::nullopt);
  EXPECT_EQ((Columns{{FeatureMap::Kind::kProducts, 1}, 47236, false}).mapped(), 47236U + 47236U / 2 * 47235U);
  EXPECT_EQ((Columns{{FeatureMap::Kind::kPolynomial, 0}, 2, false}).mapped(), std::nullopt);
}

TEST(Columns, ARowIsMappedExactly) {
  const Columns columns{{FeatureMap::Kind::kPolynomial, 2}, 3, false};
  const RationalRow row = map_row(columns, {{0, Rational(1, 3)}, {2, Rational(-2)}});
  std::set<std::string> texts;
  for (const auto& [column, value] : row) texts.insert(columns.name(column) + "=" + to_text(value));
  EXPECT_EQ(texts, (std::set<std::string>{"1=1/3", "3=-2", "1*1=1/9", "1*3=-2/3", "3*3=4", "offset=1"}));
}

}  // namespace
}  // namespace linsep

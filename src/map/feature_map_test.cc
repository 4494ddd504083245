#include "map/feature_map.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>

#include "linsep/error.h"

namespace linsep {
namespace {

using Columns = std::vector<std::uint32_t>;

FeatureMap products() { return {FeatureMap::Kind::kProducts, 1}; }
FeatureMap polynomial(int degree) { return {FeatureMap::Kind::kPolynomial, degree}; }

int oracle_degree(const FeatureMap& map) {
  if (map.kind == FeatureMap::Kind::kNone) return 1;
  return map.kind == FeatureMap::Kind::kProducts ? 2 : map.degree;
}

/// Every monomial in the stated order, found by listing all words of columns and keeping those that ascend.
std::vector<Columns> oracle_monomials(const FeatureMap& map, std::uint32_t features) {
  std::vector<Columns> all;
  for (int degree = 1; degree <= oracle_degree(map); ++degree) {
    std::vector<Columns> words = {{}};
    for (int k = 0; k < degree; ++k) {
      std::vector<Columns> longer;
      for (const Columns& word : words) {
        for (std::uint32_t c = 0; c < features; ++c) {
          longer.push_back(word);
          longer.back().push_back(c);
        }
      }
      words = longer;
    }
    for (const Columns& word : words) {
      const bool repeats = std::adjacent_find(word.begin(), word.end()) != word.end();
      if (!std::is_sorted(word.begin(), word.end())) continue;
      if (repeats && map.kind == FeatureMap::Kind::kProducts) continue;
      all.push_back(word);
    }
  }
  return all;
}

std::vector<FeatureMap> small_maps() {
  return {FeatureMap{}, products(), polynomial(1), polynomial(2), polynomial(3), polynomial(4), polynomial(5)};
}

TEST(FeatureMap, NumbersMonomialsByDegreeThenLexicographically) {
  for (const FeatureMap& map : small_maps()) {
    for (std::uint32_t features = 0; features <= 5; ++features) {
      const std::vector<Columns> expected = oracle_monomials(map, features);
      ASSERT_EQ(mapped_features(map, features), expected.size()) << map_text(map) << " of " << features;
      for (std::uint32_t j = 0; j < expected.size(); ++j) {
        EXPECT_EQ(monomial(map, features, j), expected[j]) << map_text(map) << " of " << features << ", " << j;
      }
    }
  }
}

TEST(FeatureMap, GivesEveryNonzeroMonomialOfARow) {
  for (const FeatureMap& map : small_maps()) {
    for (std::uint32_t features = 1; features <= 5; ++features) {
      const std::vector<Columns> monomials = oracle_monomials(map, features);
      for (std::uint32_t present = 0; present < (1U << features); ++present) {
        std::vector<double> dense(features, 0.0);
        std::vector<std::uint32_t> column;
        std::vector<double> value;
        for (std::uint32_t c = 0; c < features; ++c) {
          if ((present >> c & 1U) == 0) continue;
          dense[c] = 1.5 - static_cast<double>(c);
          column.push_back(c);
          value.push_back(dense[c]);
        }
        std::vector<std::uint32_t> expected_column;
        std::vector<double> expected_value;
        for (std::uint32_t j = 0; j < monomials.size(); ++j) {
          double product = 1;
          for (const std::uint32_t c : monomials[j]) product *= dense[c];
          if (product == 0) continue;
          expected_column.push_back(j);
          expected_value.push_back(product);
        }
        std::vector<std::uint32_t> got_column;
        std::vector<double> got_value;
        apply_map(map, features, {column.data(), value.data(), column.size()}, got_column, got_value);
        EXPECT_EQ(got_column, expected_column) << map_text(map) << " of " << features << ", row " << present;
        EXPECT_EQ(got_value, expected_value) << map_text(map) << " of " << features << ", row " << present;
      }
    }
  }
}

TEST(FeatureMap, ProductsOfTwoFeaturesAreX1X2AndTheirProduct) {
  EXPECT_EQ(mapped_features(products(), 2), 3U);
  EXPECT_EQ(monomial(products(), 2, 2), (Columns{0, 1}));
}

TEST(FeatureMap, LeavesOutColumnsItDoesNotKnow) {
  const std::vector<std::uint32_t> column = {0, 2, 7};
  const std::vector<double> value = {2, 3, 5};
  std::vector<std::uint32_t> got_column;
  std::vector<double> got_value;
  apply_map(products(), 3, {column.data(), value.data(), column.size()}, got_column, got_value);
  EXPECT_EQ(got_column, (Columns{0, 2, 4}));
  EXPECT_EQ(got_value, (std::vector<double>{2, 3, 6}));
}

TEST(FeatureMap, AppendsToWhatIsThere) {
  const std::vector<std::uint32_t> column = {1};
  const std::vector<double> value = {3};
  std::vector<std::uint32_t> got_column = {9};
  std::vector<double> got_value = {8};
  apply_map(polynomial(2), 2, {column.data(), value.data(), 1}, got_column, got_value);
  EXPECT_EQ(got_column, (Columns{9, 1, 4}));
  EXPECT_EQ(got_value, (std::vector<double>{8, 3, 9}));
}

TEST(FeatureMap, RefusesMoreFeaturesThan32BitsCanNumber) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
  EXPECT_EQ(mapped_features(FeatureMap{}, kMost), kMost);
  // d + d(d−1)/2 = d(d+1)/2 and, with squares, d + d(d+1)/2.
  EXPECT_EQ(mapped_features(products(), 92681), 4294930221U);
  EXPECT_THROW(mapped_features(products(), 92682), Error);
  EXPECT_EQ(mapped_features(polynomial(2), 92680), 4294930220U);
  EXPECT_THROW(mapped_features(polynomial(2), 92681), Error);
  EXPECT_THROW(mapped_features(polynomial(2), kMost), Error);
  EXPECT_THROW(mapped_features(polynomial(32), kMost), Error);
  EXPECT_EQ(mapped_features(polynomial(32), 1), 32U);
  EXPECT_THROW(mapped_features(polynomial(0), 1), Error);
  EXPECT_THROW(mapped_features(polynomial(33), 1), Error);
  try {
    mapped_features(products(), 92682);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kUsage);
    EXPECT_STREQ(error.what(), "the map products of 92682 features has more than 4294967295 features");
  }
}

TEST(FeatureMap, RefusesAProductThatIsNotFinite) {
  const std::vector<std::uint32_t> column = {0, 1};
  const std::vector<double> value = {1e200, 1e200};
  std::vector<std::uint32_t> got_column;
  std::vector<double> got_value;
  EXPECT_THROW(apply_map(products(), 2, {column.data(), value.data(), 2}, got_column, got_value), Error);
}

/// The number of this product in the map of a row. The row has a prime in each of the product's columns.
std::uint32_t number_in_a_row(const FeatureMap& map, std::uint32_t features, const Columns& monomial) {
  static constexpr double kPrimes[] = {2, 3, 5, 7, 11, 13, 17};
  Columns column = monomial;
  column.erase(std::unique(column.begin(), column.end()), column.end());
  double product = 1;
  for (const std::uint32_t c : monomial) product *= kPrimes[std::ranges::find(column, c) - column.begin()];
  Columns mapped;
  std::vector<double> value;
  apply_map(map, features, {column.data(), kPrimes, column.size()}, mapped, value);
  return mapped.at(static_cast<std::size_t>(std::ranges::find(value, product) - value.begin()));
}

RC_GTEST_PROP(FeatureMapProperty, MonomialsAreThoseThatRowsHaveAtAnySize, ()) {
  const auto& [map, most] = *rc::gen::element(std::pair{products(), 92681U}, std::pair{polynomial(2), 92680U},
                                              std::pair{polynomial(3), 2950U}, std::pair{polynomial(7), 76U});
  const auto features = *rc::gen::inRange<std::uint32_t>(1, most + 1);
  const auto j = *rc::gen::inRange<std::uint32_t>(0, mapped_features(map, features));
  const Columns columns = monomial(map, features, j);
  RC_ASSERT(columns.back() < features);
  RC_ASSERT(std::is_sorted(columns.begin(), columns.end()));
  RC_ASSERT(number_in_a_row(map, features, columns) == j);
}

TEST(MapText, ReadsBackWhatItWrites) {
  for (const FeatureMap& map : small_maps()) EXPECT_EQ(parse_map(map_text(map)), map);
  EXPECT_EQ(map_text(polynomial(3)), "polynomial:3");
  EXPECT_EQ(parse_map("polynomial"), polynomial(2));
}

TEST(MapText, RefusesWhatIsNoMap) {
  for (const char* text : {"", "product", "polynomial:", "polynomial:0", "polynomial:33", "polynomial:2x", "products:2",
                           "polynomial:-1", "polynomial:99999999999"}) {
    EXPECT_THROW(parse_map(text), Error) << text;
  }
  try {
    parse_map("product");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kUsage);
    EXPECT_NE(std::string(error.what()).find("did you mean products?"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace linsep

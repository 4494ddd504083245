#include "linsep/tools/generate.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "generate/recipes.h"
#include "linsep/error.h"

namespace linsep {
namespace {

std::string text_of(std::string_view name, const Options& options, int threads = 1,
                    TextKind kind = TextKind::kSvmlight) {
  std::string text;
  write_recipe(make_recipe(name, options), kind, threads, [&](std::string_view piece) { text += piece; });
  return text;
}

Options with(std::int64_t rows, std::int64_t features, std::int64_t seed = 1) {
  return {{"rows", rows}, {"features", features}, {"seed", seed}};
}

std::vector<DecimalRow> rows_of(const Recipe& recipe) {
  std::vector<DecimalRow> rows(static_cast<std::size_t>(recipe.rows));
  for (std::size_t i = 0; i < rows.size(); ++i) recipe.make(static_cast<std::int64_t>(i), rows[i]);
  return rows;
}

std::int64_t differing_labels(const std::vector<DecimalRow>& a, const std::vector<DecimalRow>& b) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i].label != b[i].label ? 1 : 0;
  return count;
}

TEST(Generate, TruthTablesCountUpInBinary) {
  EXPECT_EQ(text_of("not", {}), "1 1:0\n-1 1:1\n");
  EXPECT_EQ(text_of("and", {}), "-1 1:0 2:0\n-1 1:0 2:1\n-1 1:1 2:0\n1 1:1 2:1\n");
  EXPECT_EQ(text_of("or", {}), "-1 1:0 2:0\n1 1:0 2:1\n1 1:1 2:0\n1 1:1 2:1\n");
  EXPECT_EQ(text_of("xor", {}, 1, TextKind::kCsv), "x1,x2,label\n0,0,-1\n0,1,1\n1,0,1\n1,1,-1\n");
}

TEST(Generate, TranslationsOfBothPatternsCoverEveryPointEqually) {
  const std::vector<DecimalRow> rows = rows_of(make_recipe("translations", {}));
  ASSERT_EQ(rows.size(), 32U);
  std::set<std::vector<std::int64_t>> patterns;
  std::vector<std::int64_t> positive(16, 0), negative(16, 0);
  for (const DecimalRow& row : rows) {
    patterns.insert(row.units);
    for (std::size_t j = 0; j < 16; ++j) (row.label > 0 ? positive : negative)[j] += row.units[j];
  }
  EXPECT_EQ(patterns.size(), 32U) << "no translate of one pattern is a translate of the other";
  EXPECT_EQ(positive, std::vector<std::int64_t>(16, 4));
  EXPECT_EQ(negative, positive);
}

TEST(Generate, TheComparisonHasAHundredPositiveAndFiftyNegativePointsThatALineSeparates) {
  for (std::int64_t seed = 1; seed <= 20; ++seed) {
    const Recipe recipe = make_recipe("comparison", {{"seed", seed}});
    int positive = 0;
    for (const DecimalRow& row : rows_of(recipe)) {
      positive += row.label > 0 ? 1 : 0;
      const double z = recipe.theta[0] * static_cast<double>(row.units[0]) / 1000 +
                       recipe.theta[1] * static_cast<double>(row.units[1]) / 1000 + recipe.offset;
      EXPECT_GE(row.label * z, 0.1);
    }
    EXPECT_EQ(positive, 100);
    EXPECT_EQ(recipe.rows, 150);
  }
}

TEST(Generate, TheWrittenDecimalsHaveAtLeastTheMarginAskedFor) {
  EXPECT_TRUE(rc::check([] {
    const auto features = *rc::gen::inRange<std::int64_t>(1, 60);
    const double margin = *rc::gen::element(0.0, 1e-6, 1e-3, 0.1, 1.0, 5.0);
    Options options = with(200, features, *rc::gen::inRange<std::int64_t>(0, 1000));
    options["margin"] = margin;
    const Recipe recipe = make_recipe("separable", options);
    long double squares = 0;
    for (const double value : recipe.theta) squares += static_cast<long double>(value) * value;
    for (const DecimalRow& row : rows_of(recipe)) {
      long double z = recipe.offset;
      for (std::size_t j = 0; j < row.units.size(); ++j) {
        z += static_cast<long double>(row.units[j]) / power_of_ten(recipe.places) * recipe.theta[j];
      }
      RC_ASSERT(row.label * z / std::sqrt(squares) >= margin);
      RC_ASSERT(row.label * z > 0);
    }
  }));
}

TEST(Generate, ExactlySoManyLabelsAreFlippedWhereverTheyLie) {
  const std::vector<DecimalRow> plain = rows_of(make_recipe("separable", with(1000, 3)));
  for (const std::int64_t flips : {0, 1, 7, 333, 999, 1000}) {
    Options options = with(1000, 3);
    options["flips"] = flips;
    EXPECT_EQ(differing_labels(plain, rows_of(make_recipe("noisy", options))), flips);
  }
}

TEST(Generate, ListedRowsAreFlippedAndNoOthers) {
  Options options = with(50, 3);
  options["flip-rows"] = std::vector<double>{50, 17};
  const std::vector<DecimalRow> plain = rows_of(make_recipe("separable", with(50, 3)));
  const std::vector<DecimalRow> noisy = rows_of(make_recipe("noisy", options));
  EXPECT_EQ(differing_labels(plain, noisy), 2);
  EXPECT_NE(plain[16].label, noisy[16].label);
  EXPECT_NE(plain[49].label, noisy[49].label);
}

TEST(Generate, LabelsFlippedByChanceAreAboutAsManyAsTheChanceSays) {
  const std::vector<DecimalRow> plain = rows_of(make_recipe("separable", with(20000, 2)));
  const std::int64_t flipped = differing_labels(plain, rows_of(make_recipe("noisy", with(20000, 2))));
  EXPECT_NEAR(static_cast<double>(flipped), 1000, 150);
}

TEST(Generate, SparseRowsHaveDistinctAscendingColumns) {
  EXPECT_TRUE(rc::check([] {
    const auto features = *rc::gen::inRange<std::int64_t>(1, 300);
    const auto nonzeros = *rc::gen::inRange<std::int64_t>(1, features + 1);
    Options options = with(20, features, *rc::gen::inRange<std::int64_t>(0, 1000));
    options["nonzeros"] = nonzeros;
    for (const DecimalRow& row : rows_of(make_recipe("sparse", options))) {
      RC_ASSERT(static_cast<std::int64_t>(row.column.size()) == nonzeros);
      RC_ASSERT(std::int64_t{row.column.back()} < features);
      for (std::size_t k = 1; k < row.column.size(); ++k) RC_ASSERT(row.column[k - 1] < row.column[k]);
      for (const std::int64_t units : row.units) RC_ASSERT(units > 0);
    }
  }));
}

TEST(Generate, TheWeightOfColumnKIsOneOverK) {
  Options options = with(200000, 20);
  options["nonzeros"] = std::int64_t{1};
  std::vector<double> count(20, 0);
  for (const DecimalRow& row : rows_of(make_recipe("sparse", options))) count[row.column[0]] += 1;
  double all = 0;
  for (int k = 1; k <= 20; ++k) all += 1.0 / k;
  for (int k = 1; k <= 20; ++k) {
    const double expected = 200000 / (k * all);
    EXPECT_NEAR(count[static_cast<std::size_t>(k - 1)], expected, 5 * std::sqrt(expected)) << "column " << k;
  }
}

TEST(Generate, AnyNumberOfColumnsCanBeDrawnFrom) {
  for (const DecimalRow& row : rows_of(make_recipe("sparse", with(100, 4294967295)))) {
    EXPECT_EQ(row.column.size(), 82U);
  }
}

TEST(Generate, TheTextDoesNotDependOnTheNumberOfThreads) {
  for (const char* name : {"noisy", "sparse"}) {
    for (const TextKind kind : {TextKind::kSvmlight, TextKind::kCsv}) {
      const Options options = with(3000, 90);
      const std::string one = text_of(name, options, 1, kind);
      EXPECT_EQ(text_of(name, options, 2, kind), one);
      EXPECT_EQ(text_of(name, options, 5, kind), one);
    }
  }
}

TEST(Generate, ALongerSetBeginsWithTheShorterOne) {
  for (const char* name : {"separable", "noisy", "sparse"}) {
    const std::string shorter = text_of(name, with(100, 90)), longer = text_of(name, with(3000, 90));
    EXPECT_EQ(longer.substr(0, shorter.size()), shorter) << name;
  }
}

TEST(Generate, AnotherSeedGivesOtherRows) {
  for (const char* name : {"separable", "noisy", "sparse"}) {
    EXPECT_NE(text_of(name, with(10, 90, 1)), text_of(name, with(10, 90, 2))) << name;
  }
}

std::vector<std::vector<std::string>> fields_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows(1);
  std::string field;
  bool quoted = false;
  for (const char c : csv) {
    if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == ',' || c == '\n')) {
      rows.back().push_back(std::exchange(field, ""));
      if (c == '\n') rows.emplace_back();
    } else {
      field += c;
    }
  }
  rows.pop_back();
  return rows;
}

std::string table_of(const Options& options, int threads = 1) {
  return text_of("table", options, threads, TextKind::kCsv);
}

TEST(Generate, ATableHasAColumnOfEachKindAndFewPositives) {
  const auto rows = fields_of(table_of({{"rows", std::int64_t{20000}}}));
  EXPECT_EQ(rows[0], (std::vector<std::string>{"amount", "when", "country", "merchant", "card", "label"}));
  ASSERT_EQ(rows.size(), 20001U);
  std::vector<std::set<std::string>> values(6);
  std::vector<int> holes(6, 0);
  int frauds = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i].size(), 6U) << "row " << i;
    for (std::size_t c = 0; c < 6; ++c) {
      values[c].insert(rows[i][c]);
      holes[c] += rows[i][c].empty() ? 1 : 0;
    }
    frauds += rows[i][5] == "fraud" ? 1 : 0;
    ASSERT_EQ(rows[i][1].size(), std::string("2025-01-01 00:00").size());
  }
  EXPECT_NEAR(frauds, 200, 100);
  EXPECT_NEAR(holes[0], 400, 100);
  EXPECT_NEAR(holes[2], 200, 70);
  EXPECT_NEAR(holes[3], 100, 50);
  EXPECT_EQ(holes[1] + holes[4] + holes[5], 0);
  EXPECT_GT(values[4].size(), 5000U) << "cards are a large category";
  EXPECT_EQ(values[2].count("NA"), 1U) << "Namibia is no hole";
  EXPECT_EQ(values[5], (std::set<std::string>{"clean", "fraud"}));
}

TEST(Generate, BadCardsAreWorthKnowing) {
  // Cards with much fraud in the first half of the rows also have much in the second.
  const auto rows = fields_of(table_of({{"rows", std::int64_t{60000}}, {"cards", std::int64_t{500}}}));
  std::map<std::string, double> frauds, payments;
  for (std::size_t i = 1; i <= 30000; ++i) {
    payments[rows[i][4]] += 1;
    frauds[rows[i][4]] += rows[i][5] == "fraud" ? 1 : 0;
  }
  double bad = 0, bad_frauds = 0, others = 0, other_frauds = 0;
  for (std::size_t i = 30001; i <= 60000; ++i) {
    const bool is_bad = frauds[rows[i][4]] > 0.1 * payments[rows[i][4]] + 2;
    (is_bad ? bad : others) += 1;
    if (rows[i][5] == "fraud") (is_bad ? bad_frauds : other_frauds) += 1;
  }
  ASSERT_GT(bad, 100);
  EXPECT_GT(bad_frauds / bad, 5 * other_frauds / others);
}

TEST(Generate, ATableIsTheSameForAnyThreadsAndBeginsWithTheShorterOne) {
  const Options options{{"rows", std::int64_t{9000}}, {"words", std::int64_t{4}}};
  const std::string all = table_of(options);
  EXPECT_EQ(table_of(options, 3), all);
  const std::string shorter = table_of({{"rows", std::int64_t{50}}, {"words", std::int64_t{4}}});
  EXPECT_EQ(all.substr(0, shorter.size()), shorter);
  EXPECT_NE(table_of({{"rows", std::int64_t{50}}, {"words", std::int64_t{4}}, {"seed", std::int64_t{2}}}), shorter);
}

TEST(Generate, ATableIsCsvOnlyAndItsTextHasTheWordsAskedFor) {
  EXPECT_THROW(text_of("table", {}, 1, TextKind::kSvmlight), Error);
  const auto rows = fields_of(table_of({{"rows", std::int64_t{30}}, {"words", std::int64_t{7}}}));
  EXPECT_EQ(rows[0][5], "note");
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_EQ(std::count(rows[i][5].begin(), rows[i][5].end(), ' '), 6);
  }
}

TEST(Generate, NoRowsGiveNoText) { EXPECT_EQ(text_of("sparse", with(0, 90)), ""); }

TEST(Generate, WhatTheSinkThrowsArrivesAndEndsTheWork) {
  const Recipe recipe = make_recipe("sparse", with(1000000, 1000));
  int pieces = 0;
  EXPECT_THROW(write_recipe(recipe, TextKind::kSvmlight, 3,
                            [&](std::string_view) {
                              if (++pieces == 2) throw system_error("full");
                            }),
               Error);
  EXPECT_EQ(pieces, 2);
}

TEST(Generate, OptionsThatDoNotFitAreRefused) {
  EXPECT_THROW(make_recipe("ad", {}), Error);
  EXPECT_THROW(make_recipe("and", {{"rows", std::int64_t{5}}}), Error);
  EXPECT_THROW(make_recipe("sparse", {{"features", std::int64_t{10}}, {"nonzeros", std::int64_t{11}}}), Error);
  EXPECT_THROW(make_recipe("noisy", {{"flip", 0.1}, {"flips", std::int64_t{3}}}), Error);
  EXPECT_THROW(make_recipe("noisy", {{"rows", std::int64_t{10}}, {"flips", std::int64_t{11}}}), Error);
  EXPECT_THROW(make_recipe("noisy", {{"flip-rows", std::vector<double>{0}}}), Error);
  EXPECT_THROW(make_recipe("noisy", {{"flip-rows", std::vector<double>{1.5}}}), Error);
}

}  // namespace
}  // namespace linsep

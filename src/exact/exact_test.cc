#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "exact/decimal.h"
#include "exact/linear.h"

namespace linsep {
namespace {

Rational decimal(std::string_view text) { return rational_of_decimal(text).value(); }

TEST(Decimal, TheValueAsWritten) {
  EXPECT_EQ(decimal("0.1") + decimal("0.2"), decimal("0.3"));
  EXPECT_EQ(decimal("1.50"), decimal("15e-1"));
  EXPECT_EQ(decimal("-.5E1"), -5);
  EXPECT_EQ(decimal("+2.e2"), 200);
  EXPECT_EQ(decimal("1e-300") * decimal("1e300"), 1);
  for (const char* text : {"", ".", "-", "1e", "e1", "1.2.3", "nan", " 1", "1x", "1e10000"}) {
    EXPECT_EQ(rational_of_decimal(text), std::nullopt) << text;
  }
}

TEST(Decimal, ABinaryNumberIsItsDyadicValue) {
  EXPECT_NE(rational_of_double(0.1) + rational_of_double(0.2), rational_of_double(0.3));
  EXPECT_EQ(rational_of_double(0x1p-1074) * power_of(2, 1074), 1);
  EXPECT_EQ(rational_of({0, "0.1", 0}), decimal("0.1"));
  EXPECT_EQ(rational_of({0, "", 0.1}), rational_of_double(0.1));
}

TEST(Decimal, TheShorterTextIsWritten) {
  EXPECT_EQ(exact_text(Rational(1, 3)), "1/3");
  EXPECT_EQ(exact_text(Rational(-1, 2)), "-0.5");
  EXPECT_EQ(exact_text(Rational(7)), "7");
  EXPECT_EQ(exact_text(Rational(1, 1024)), "1/1024");
  EXPECT_EQ(exact_text(decimal("-0.001")), "-0.001");
}

RC_GTEST_PROP(Decimal, TextsReadBack, (std::int64_t p, std::uint16_t q)) {
  const Rational value = ratio(Integer(static_cast<long>(p)), Integer(static_cast<unsigned long>(q) + 1));
  const std::string text = exact_text(value);
  if (text.find('/') == std::string::npos)
    RC_ASSERT(decimal(text) == value);
  else
    RC_ASSERT(Rational(text) == value);
}

IntegerMatrix matrix(std::size_t columns, const std::vector<long>& entries) {
  IntegerMatrix result(entries.size() / columns, columns);
  for (std::size_t k = 0; k < entries.size(); ++k) result.entry[k] = entries[k];
  return result;
}

TEST(Linear, RankProfileTakesTheFirstIndependentRowsAndColumns) {
  const RankProfile profile = rank_profile(matrix(3, {0, 0, 0, 0, 1, 2, 0, 2, 4, 0, 0, 5}));
  EXPECT_EQ(profile.rows, (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(profile.columns, (std::vector<std::size_t>{1, 2}));
}

TEST(Linear, ASingularSystemHasNoSolution) {
  EXPECT_EQ(solve(matrix(2, {1, 2, 2, 4}), std::vector<Integer>{1, 2}), std::nullopt);
}

TEST(Linear, XorsRowsHaveOneDependency) {
  const auto lambda = row_dependency(matrix(3, {0, 0, -1, 0, 1, 1, 1, 0, 1, -1, -1, -1}));
  ASSERT_TRUE(lambda);
  EXPECT_EQ(primitive(*lambda), (std::vector<Integer>{1, 1, 1, 1}));
  EXPECT_EQ(row_dependency(matrix(2, {1, 0, 0, 1})), std::nullopt);
  EXPECT_EQ(row_dependency(matrix(1, {1, 2, 3})), std::nullopt);
}

TEST(Linear, DependentColumnsAreSumsOfTheOthers) {
  // Column 3 is column 1 plus column 2; column 4 is 0.
  const IntegerMatrix a = matrix(4, {1, 0, 1, 0, 0, 1, 1, 0, 2, 3, 5, 0});
  const auto sums = dependent_columns(a, rank_profile(a));
  ASSERT_TRUE(sums);
  EXPECT_EQ(*sums, (std::vector<std::vector<Rational>>{{1, 1}, {0, 0}}));
}

RC_GTEST_PROP(Linear, SolutionsSolve, ()) {
  const auto n = static_cast<std::size_t>(*rc::gen::inRange(1, 7));
  IntegerMatrix a(n, n);
  for (Integer& value : a.entry) value = static_cast<long>(*rc::gen::inRange(-9, 10));
  std::vector<Integer> b(n);
  for (Integer& value : b) value = static_cast<long>(*rc::gen::arbitrary<int>());
  const auto x = solve(a, b);
  RC_ASSERT(x.has_value() == (rank_profile(a).rows.size() == n));
  for (std::size_t i = 0; x && i < n; ++i) {
    Rational sum;
    for (std::size_t j = 0; j < n; ++j) sum += a.at(i, j) * (*x)[j];
    RC_ASSERT(sum == b[i]);
  }
}

}  // namespace
}  // namespace linsep

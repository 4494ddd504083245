// The exact half of the finder. Every result carries its own proof, so the tests check proofs.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "certify/exact/rows.h"
#include "certify/exact/solve.h"
#include "certify/exact/witness.h"
#include "core/random.h"
#include "linsep/error.h"

namespace linsep {
namespace {

IntegerRows drawn_rows(Random& random, std::size_t count, std::size_t size, std::uint64_t range) {
  IntegerRows rows(count, IntegerVector(size));
  for (IntegerVector& row : rows) {
    for (Integer& value : row)
      value = static_cast<std::int64_t>(random.below(2 * range + 1)) - static_cast<std::int64_t>(range);
  }
  return rows;
}

Integer dot_of(const IntegerVector& a, const IntegerVector& b) {
  Integer sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

bool is_witness(const IntegerRows& rows, const IntegerVector& alpha) {
  bool any = false;
  for (const Integer& a : alpha) {
    if (a < 0) return false;
    any = any || a > 0;
  }
  for (std::size_t j = 0; j < rows.front().size(); ++j) {
    Integer sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) sum += alpha[i] * rows[i][j];
    if (sum != 0) return false;
  }
  return any;
}

TEST(ExactSimplex, AlwaysEndsWithASeparatorOrAWitness) {
  int separators = 0, witnesses = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(1, seed);
    const IntegerRows rows = drawn_rows(random, 1 + random.below(12), 1 + random.below(5), 1 + random.below(3));
    ExactSimplex simplex(rows.front().size());
    for (const IntegerVector& row : rows) simplex.add(row);
    if (simplex.solve({}) == ExactSimplex::End::kSeparator) {
      ++separators;
      const IntegerVector w = simplex.weights();
      for (const IntegerVector& row : rows) ASSERT_GT(dot_of(row, w), 0) << "seed " << seed;
    } else {
      ++witnesses;
      ASSERT_TRUE(is_witness(rows, simplex.alpha())) << "seed " << seed;
    }
  }
  EXPECT_GT(separators, 100);
  EXPECT_GT(witnesses, 100);
}

TEST(ExactSimplex, GoesOnWhenPointsJoin) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(2, seed);
    const IntegerRows rows = drawn_rows(random, 14, 3, 5);
    ExactSimplex grown(3), whole(3);
    ExactSimplex::End end = ExactSimplex::End::kSeparator;
    for (std::size_t i = 0; i < rows.size() && end == ExactSimplex::End::kSeparator; ++i) {
      grown.add(rows[i]);
      end = grown.solve({});
    }
    for (const IntegerVector& row : rows) whole.add(row);
    ASSERT_EQ(end, whole.solve({})) << "seed " << seed;
  }
}

TEST(ExactSimplex, StopsWhenAsked) {
  ExactSimplex simplex(2);
  simplex.add({1, 0});
  simplex.add({-1, 1});
  EXPECT_EQ(simplex.solve([] { return true; }), ExactSimplex::End::kStopped);
  EXPECT_EQ(simplex.solve({}), ExactSimplex::End::kSeparator);
}

TEST(ExactWitness, IsFoundWhereTheRowsAreOneAndChecked) {
  // (1, 0), (−1, 1) and (0, −1) sum to zero.
  const IntegerRows rows = {{3, 0}, {-1, 1}, {0, -5}};
  const std::vector<Rational> guess = {Rational(1, 3), 1, Rational(1, 5)};
  const auto alpha = exact_witness(rows, guess);
  ASSERT_TRUE(alpha.has_value());
  EXPECT_TRUE(is_witness(rows, *alpha));
}

TEST(ExactWitness, IsNotFoundWhereTheFloatsWereWrong) {
  const std::vector<Rational> guess = {1, 1, 1};
  EXPECT_FALSE(exact_witness({{3, 0, 0}, {-1, 1, 0}, {0, -5, 1}}, guess).has_value()) << "independent rows";
  EXPECT_FALSE(exact_witness({{1, 0}, {0, 1}, {1, 1}}, guess).has_value()) << "a dependency with a negative weight";
}

TEST(ExactWitness, KeepsGuessesBeyondTheRank) {
  const IntegerRows rows = {{1}, {1}, {-1}, {-2}};
  const std::vector<Rational> guess = {1, 1, 1, Rational(1, 2)};
  const auto alpha = exact_witness(rows, guess);
  ASSERT_TRUE(alpha.has_value());
  EXPECT_TRUE(is_witness(rows, *alpha));
  EXPECT_TRUE(std::all_of(alpha->begin(), alpha->end(), [](const Integer& a) { return a > 0; }));
}

TEST(ExactSpan, DividesOutItsRowsAndLiftsWeightsThatAreZeroOnThem) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(3, seed);
    const std::size_t size = 2 + random.below(5);
    const IntegerRows rows = drawn_rows(random, 1 + random.below(size), size, 4);
    ModularSpan independent(size);
    IntegerRows basis;
    for (const IntegerVector& row : rows) {
      if (independent.add(row)) basis.push_back(row);
    }
    ExactSpan span(size);
    ASSERT_TRUE(span.set(basis));
    ASSERT_EQ(span.rank(), basis.size());
    for (const IntegerVector& row : rows) ASSERT_TRUE(span.contains(row));
    const IntegerVector free_weights = drawn_rows(random, 1, size - basis.size(), 9).front();
    const IntegerVector w = span.lift(free_weights);
    for (const IntegerVector& row : rows) ASSERT_EQ(dot_of(row, w), 0);
    // The rest of any row keeps its side.
    const IntegerVector other = drawn_rows(random, 1, size, 9).front();
    ASSERT_EQ(sign_of(dot_of(other, w)), sign_of(dot_of(span.rest(other), free_weights)));
    ASSERT_EQ(span.contains(other), !independent.add(other));
  }
}

TEST(ExactRow, TakesDecimalsAsWritten) {
  RowSpace space;
  space.features = space.mapped = 3;
  WrittenRow written;
  written.values = {{0, "0.1", 0}, {1, "-20e-2", 0}, {2, "0.00", 0}};
  const ExactRow z = exact_row(written, -1, space);
  EXPECT_EQ(z.column, (std::vector<std::uint32_t>{0, 1, 3}));
  EXPECT_EQ(z.value, (std::vector<Integer>{-1, 2, -10}));
  EXPECT_EQ(z.scale, 10);
}

TEST(ExactRow, TakesBinaryNumbersAsTheyAre) {
  RowSpace space;
  space.features = space.mapped = 1;
  space.origin = true;
  WrittenRow written;
  written.values = {{0, "", 0x1.8p-1074}};
  EXPECT_EQ(exact_row(written, 1, space).value, (std::vector<Integer>{1}));
  written.values = {{0, "", 0.1}};
  const ExactRow z = exact_row(written, 1, space);
  EXPECT_EQ(Rational(z.value[0]) / z.scale, Rational(0.1));
}

TEST(ExactRow, GoesThroughAMapExactly) {
  RowSpace space;
  space.features = 2;
  space.map.kind = FeatureMap::Kind::kProducts;
  space.mapped = 3;
  WrittenRow written;
  written.values = {{0, "0.1", 0}, {1, "0.3", 0}};
  const ExactRow z = exact_row(written, 1, space);
  ASSERT_EQ(z.column.size(), 4U);
  EXPECT_EQ(Rational(z.value[2]) / z.scale, Rational(3, 100));
  EXPECT_EQ(Rational(z.value[3]) / z.scale, 1);
}

TEST(ParseDecimal, ReadsWhatReadersAccept) {
  const auto value = [](const char* text) {
    const Decimal d = parse_decimal(text);
    const Integer power = power_of(10, static_cast<std::uint64_t>(std::abs(d.exponent)));
    return d.exponent < 0 ? ratio(d.digits, power) : Rational(d.digits * power);
  };
  EXPECT_EQ(value("1.50"), Rational(3, 2));
  EXPECT_EQ(value("+.5e1"), 5);
  EXPECT_EQ(value("-2.E-1"), Rational(-1, 5));
  EXPECT_EQ(value("0e9999"), 0);
  for (const char* bad : {"", ".", "-", "1e", "1e+", "x", "1.2.3", "1 ", "nan", "inf", "0x1", "1e9999999"}) {
    EXPECT_THROW(parse_decimal(bad), Error) << bad;
  }
}

}  // namespace
}  // namespace linsep

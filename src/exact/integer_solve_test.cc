#include "exact/integer_solve.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <utility>

#include "core/random.h"

namespace linsep {
namespace {

IntegerRows drawn(Random& random, std::size_t rows, std::size_t columns, std::uint64_t range) {
  IntegerRows matrix(rows, IntegerVector(columns));
  for (IntegerVector& row : matrix) {
    for (Integer& value : row) {
      value = static_cast<std::int64_t>(random.below(2 * range + 1)) - static_cast<std::int64_t>(range);
    }
  }
  return matrix;
}

/// Gauss's and Jordan's elimination with fractions. X, or nothing if A is singular.
std::optional<std::vector<std::vector<Rational>>> solved_with_fractions(const IntegerRows& a, const IntegerRows& b) {
  const std::size_t size = a.size();
  std::vector<std::vector<Rational>> m(size);
  for (std::size_t r = 0; r < size; ++r) {
    m[r].assign(a[r].begin(), a[r].end());
    m[r].insert(m[r].end(), b[r].begin(), b[r].end());
  }
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t pivot = k;
    while (pivot < size && m[pivot][k] == 0) ++pivot;
    if (pivot == size) return std::nullopt;
    std::swap(m[pivot], m[k]);
    const Rational head = m[k][k];
    for (Rational& value : m[k]) value /= head;
    for (std::size_t r = 0; r < size; ++r) {
      const Rational factor = m[r][k];
      for (std::size_t j = 0; r != k && j < m[r].size(); ++j) m[r][j] -= factor * m[k][j];
    }
  }
  for (auto& row : m) row.erase(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(size));
  return m;
}

/// The promises of solve_exactly that the product alone shows.
void expect_solved(const IntegerRows& a, const IntegerRows& b, const ExactSolution& x) {
  EXPECT_GT(x.denominator, 0);
  Integer divisor = x.denominator;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t c = 0; c < b[i].size(); ++c) {
      Integer sum = 0;
      for (std::size_t j = 0; j < a.size(); ++j) sum += a[i][j] * x.numerator[j][c];
      EXPECT_EQ(sum, b[i][c] * x.denominator);
      shrink_to_common_divisor(divisor, x.numerator[i][c]);
    }
  }
  EXPECT_EQ(divisor, 1) << "not in lowest terms";
}

TEST(SolveExactly, TheProductIsTheRightSideAtEverySize) {
  for (const std::size_t size : {1U, 2U, 5U, 15U, 16U, 40U}) {
    Random random(4, size);
    const IntegerRows a = drawn(random, size, size, 1000);
    const IntegerRows b = drawn(random, size, 3, 1000);
    const auto x = solve_exactly(a, b);
    ASSERT_TRUE(x.has_value()) << size;
    expect_solved(a, b, *x);
  }
}

TEST(SolveExactly, TermsAreLowestAtEverySize) {
  for (const std::size_t size : {1U, 3U, 15U, 16U, 20U}) {
    Random random(6, size);
    IntegerRows a = drawn(random, size, size, 9);
    const IntegerRows x = drawn(random, size, 2, 9);
    IntegerRows b(size, IntegerVector(2));
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        for (std::size_t c = 0; c < 2; ++c) add_product(b[i][c], a[i][j], x[j][c]);
      }
    }
    const auto solution = solve_exactly(a, b);
    ASSERT_TRUE(solution.has_value()) << size;
    EXPECT_EQ(solution->denominator, 1) << size;
    EXPECT_EQ(solution->numerator, x) << size;
  }
}

TEST(SolveExactly, ASingularMatrixHasNoSolution) {
  for (const std::size_t size : {1U, 2U, 20U}) {
    Random random(5, size);
    IntegerRows a = drawn(random, size, size, 1000);
    a.back() = size == 1 ? IntegerVector{0} : a.front();
    EXPECT_FALSE(solve_exactly(a, drawn(random, size, 1, 1000)).has_value()) << size;
  }
}

TEST(SolveExactly, NothingIsSolvedByNothing) {
  const auto x = solve_exactly({}, {});
  ASSERT_TRUE(x.has_value());
  EXPECT_EQ(x->denominator, 1);
  EXPECT_TRUE(x->numerator.empty());
}

RC_GTEST_PROP(SolveExactly, AgreesWithEliminationInFractions, (std::uint64_t seed)) {
  Random random(seed);
  const std::size_t size = 1 + random.below(6);
  // Entries from −1 to 1 make every second matrix singular.
  const IntegerRows a = drawn(random, size, size, 1 + random.below(3));
  const IntegerRows b = drawn(random, size, 1 + random.below(3), 50);
  const auto expected = solved_with_fractions(a, b);
  const auto x = solve_exactly(a, b);
  RC_TAG(x ? "regular" : "singular");
  RC_ASSERT(x.has_value() == expected.has_value());
  if (!x) return;
  expect_solved(a, b, *x);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t c = 0; c < b[i].size(); ++c) {
      RC_ASSERT(ratio(x->numerator[i][c], x->denominator) == (*expected)[i][c]);
    }
  }
}

}  // namespace
}  // namespace linsep

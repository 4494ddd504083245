#include "certify/exact/solve.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "core/deadline.h"
#include "core/random.h"

namespace linsep {
namespace {

/// Numbers of about `digits` decimal digits, a few of them 0.
IntegerRows drawn(Random& random, std::size_t rows, std::size_t columns, int digits) {
  IntegerRows matrix(rows, IntegerVector(columns));
  for (IntegerVector& row : matrix) {
    for (Integer& value : row) {
      if (random.below(5) == 0) continue;
      for (int k = 0; k < digits; k += 9)
        value = value * 1000000000 + static_cast<std::int64_t>(random.below(1000000000));
      if (random.below(2) == 0) value = -value;
    }
  }
  return matrix;
}

TEST(SolveInSteps, GivesWhatSolvingAtOnceGives) {
  for (const auto& [size, columns, digits] : {std::tuple(64U, 1U, 9), {65U, 3U, 27}, {90U, 2U, 45}, {70U, 1U, 90}}) {
    Random random(7, size);
    const IntegerRows a = drawn(random, size, size, digits), b = drawn(random, size, columns, digits);
    const auto x = solve_in_steps(a, b), expected = solve_exactly(a, b);
    ASSERT_TRUE(x && expected) << size;
    EXPECT_EQ(x->denominator, expected->denominator) << size;
    EXPECT_EQ(x->numerator, expected->numerator) << size;
  }
}

TEST(SolveInSteps, IntegersHaveTheDenominatorOne) {
  Random random(8);
  const std::size_t size = 64;
  const IntegerRows a = drawn(random, size, size, 9), x = drawn(random, size, 2, 18);
  IntegerRows b(size, IntegerVector(2));
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t c = 0; c < 2; ++c) add_product(b[i][c], a[i][j], x[j][c]);
    }
  }
  const auto solution = solve_in_steps(a, b);
  ASSERT_TRUE(solution.has_value());
  EXPECT_EQ(solution->denominator, 1);
  EXPECT_EQ(solution->numerator, x);
}

TEST(SolveInSteps, ASingularMatrixHasNoSolution) {
  Random random(9);
  IntegerRows a = drawn(random, 64, 64, 9);
  a.back() = a.front();
  EXPECT_FALSE(solve_in_steps(a, drawn(random, 64, 1, 9)).has_value());
}

TEST(SolveInSteps, EndsWhereItIsStopped) {
  Random random(10);
  const IntegerRows a = drawn(random, 150, 150, 18), b = drawn(random, 150, 1, 18);
  int asked = 0;
  Deadline later([&] { return ++asked > 3; });
  EXPECT_FALSE(later.run([&] { solve_in_steps(a, b); }));
  EXPECT_EQ(asked, 4) << "it ends at once";
}

}  // namespace
}  // namespace linsep

#include "exact/integer_solve.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace linsep {
namespace {

IntegerRows drawn(Random& random, std::size_t rows, std::size_t columns) {
  IntegerRows matrix(rows, IntegerVector(columns));
  for (IntegerVector& row : matrix) {
    for (Integer& value : row) value = static_cast<std::int64_t>(random.below(2001)) - 1000;
  }
  return matrix;
}

TEST(SolveExactly, TheProductIsTheRightSideAtEverySize) {
  for (const std::size_t size : {1U, 2U, 5U, 15U, 16U, 40U}) {
    Random random(4, size);
    const IntegerRows a = drawn(random, size, size);
    const IntegerRows b = drawn(random, size, 3);
    const auto x = solve_exactly(a, b);
    ASSERT_TRUE(x.has_value()) << size;
    EXPECT_GT(x->denominator, 0);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t c = 0; c < 3; ++c) {
        Integer sum = 0;
        for (std::size_t j = 0; j < size; ++j) sum += a[i][j] * x->numerator[j][c];
        EXPECT_EQ(sum, b[i][c] * x->denominator);
      }
    }
  }
}

TEST(SolveExactly, ASingularMatrixHasNoSolution) {
  for (const std::size_t size : {2U, 20U}) {
    Random random(5, size);
    IntegerRows a = drawn(random, size, size);
    a.back() = a.front();
    EXPECT_FALSE(solve_exactly(a, drawn(random, size, 1)).has_value()) << size;
  }
}

}  // namespace
}  // namespace linsep

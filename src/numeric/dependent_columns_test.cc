#include "numeric/dependent_columns.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/random.h"

namespace linsep {
namespace {

/// The matrix of columns a, b, a + 2b + share·c, 0 and d, each near length 1.
SymmetricMatrix drawn_matrix(double share) {
  constexpr std::size_t kRows = 400;
  SymmetricMatrix matrix;
  matrix.resize(5);
  Random random(5, 1);
  for (std::size_t i = 0; i < kRows; ++i) {
    const double a = random.normal(), b = random.normal(), c = random.normal(), d = random.normal();
    const std::vector<double> x = {a, b, a + 2 * b + share * c, 0, d};
    for (std::size_t j = 0; j < x.size(); ++j) {
      for (std::size_t k = j; k < x.size(); ++k) matrix.at(j, k) += x[j] * x[k] / kRows;
    }
  }
  return matrix;
}

TEST(DependentColumns, AreSumsOfThoseBeforeThem) {
  for (const double share : {0.0, 3e-6}) {
    std::vector<char> active(5, 1);
    const std::vector<DependentColumn> found = find_dependent_columns(drawn_matrix(share), active);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].column, 2U);
    EXPECT_EQ(found[0].summands(), (std::vector<std::size_t>{0, 1}));
    EXPECT_NEAR(found[0].relation[0], -1, 1e-5);
    EXPECT_NEAR(found[0].relation[1], -2, 1e-5);
    EXPECT_EQ(found[0].relation[2], 1);
    EXPECT_EQ(found[1].column, 3U);
    EXPECT_TRUE(found[1].summands().empty());
    EXPECT_EQ(active, (std::vector<char>{1, 1, 0, 0, 1}));
  }
}

TEST(DependentColumns, AreNotThoseOfWhichThreePartsInAMillionAreLeft) {
  std::vector<char> active(5, 1);
  const std::vector<DependentColumn> found = find_dependent_columns(drawn_matrix(1e-5), active);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].column, 3U);
}

TEST(DependentColumns, LeaveUnmarkedColumnsAlone) {
  std::vector<char> active = {1, 0, 1, 0, 1};
  EXPECT_TRUE(find_dependent_columns(drawn_matrix(0), active).empty());
  EXPECT_EQ(active, (std::vector<char>{1, 0, 1, 0, 1}));
}

}  // namespace
}  // namespace linsep

#include "proof/elimination.h"

#include <gtest/gtest.h>

#include <array>
#include <map>

#include "core/colliding_testing.h"
#include "core/random.h"
#include "linsep/error.h"
#include "proof/verify.h"

namespace linsep {
namespace {

constexpr std::uint64_t kPrime = 2305843009213693951;

using Dense = std::vector<std::vector<std::uint64_t>>;

std::vector<SparseResidues> sparse(const Dense& matrix) {
  std::vector<SparseResidues> rows;
  for (const auto& row : matrix) {
    SparseResidues& entries = rows.emplace_back();
    for (std::uint32_t j = 0; j < row.size(); ++j) {
      if (row[j] != 0) entries.emplace_back(j, row[j]);
    }
  }
  return rows;
}

bool is_regular(std::vector<SparseResidues> matrix, std::uint64_t p, std::uint64_t memory = 0) {
  try {
    check_regular(std::move(matrix), Modulus{p}, memory);
    return true;
  } catch (const Refusal&) {
    return false;
  }
}

/// The determinant by Laplace's expansion.
std::uint64_t determinant(const Dense& matrix, std::uint64_t p) {
  if (matrix.empty()) return 1 % p;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    Dense minor;
    for (std::size_t k = 0; k < matrix.size(); ++k) {
      if (k != i) minor.emplace_back(matrix[k].begin() + 1, matrix[k].end());
    }
    const std::uint64_t term = matrix[i][0] * determinant(minor, p) % p;
    sum = (sum + (i % 2 == 0 ? term : p - term)) % p;
  }
  return sum;
}

/// Some entries in each row, as a forged span has them.
std::vector<SparseResidues> scattered(std::uint32_t rows) {
  std::vector<SparseResidues> matrix(rows);
  for (std::uint32_t i = 0; i < rows; ++i) {
    Random random(1, i);
    std::map<std::uint32_t, std::uint64_t> row = {{i, 1}};
    for (int k = 0; k < 3; ++k) row.emplace(static_cast<std::uint32_t>(random.below(rows)), 2 + random.below(6));
    matrix[i].assign(row.begin(), row.end());
  }
  return matrix;
}

TEST(Elimination, SaysOfAMatrixWhatItsDeterminantSays) {
  std::size_t regular = 0, singular = 0;
  for (std::uint64_t draw = 0; draw < 4000; ++draw) {
    Random random(7, draw);
    const std::uint64_t p = std::array<std::uint64_t, 4>{2, 3, 5, 101}[random.below(4)];
    const std::size_t size = random.below(7);
    const std::uint64_t share = 1 + random.below(4);
    Dense matrix(size, std::vector<std::uint64_t>(size));
    for (auto& row : matrix) {
      for (auto& entry : row) entry = random.below(share) == 0 ? random.below(p) : 0;
    }
    const bool expected = determinant(matrix, p) != 0;
    ++(expected ? regular : singular);
    ASSERT_EQ(is_regular(sparse(matrix), p), expected) << draw;
  }
  EXPECT_GT(regular, 500);
  EXPECT_GT(singular, 500);
}

TEST(Elimination, OfManySparseRowsSeesOneThatDependsOnOthers) {
  for (const std::uint32_t rows : {40, 300}) {
    std::vector<SparseResidues> matrix = scattered(rows);
    EXPECT_TRUE(is_regular(matrix, kPrime));
    // The last row becomes the sum of the first two.
    std::map<std::uint32_t, std::uint64_t> sum;
    for (int i = 0; i < 2; ++i) {
      for (const auto& [column, value] : matrix[static_cast<std::size_t>(i)]) sum[column] += value;
    }
    matrix.back().assign(sum.begin(), sum.end());
    EXPECT_FALSE(is_regular(matrix, kPrime));
  }
}

TEST(Elimination, KnowsPrimes) {
  for (std::uint64_t p = 2; p < 2000; ++p) {
    bool prime = true;
    for (std::uint64_t d = 2; d * d <= p; ++d) prime = prime && p % d != 0;
    EXPECT_EQ((Modulus{p}.is_prime()), prime) << p;
  }
  EXPECT_TRUE((Modulus{kPrime}.is_prime()));
  EXPECT_FALSE((Modulus{3215031751}.is_prime())) << "passes the test of 2, 3, 5 and 7";
  EXPECT_FALSE((Modulus{kPrime - 2}.is_prime()));
}

TEST(Elimination, ModuloANumberThatIsNoPrimeTakesAtMost1000Rows) {
  const auto diagonal = [](std::uint32_t rows) {
    std::vector<SparseResidues> matrix(rows);
    for (std::uint32_t i = 0; i < rows; ++i) matrix[i] = {{i, 1}};
    return matrix;
  };
  EXPECT_TRUE(is_regular(diagonal(1000), 15));
  EXPECT_FALSE(is_regular(diagonal(1001), 15));
  EXPECT_TRUE(is_regular(diagonal(1001), 17));
  EXPECT_FALSE(is_regular({{{0, 1}}, {{1, 3}}}, 15)) << "the first pivot is 3, which has no inverse modulo 15";
}

TEST(Elimination, ManySparseRowsCostFarLessThanDenseOnes) {
  const auto matrix = scattered(600);
  Dense dense(600, std::vector<std::uint64_t>(600));
  for (std::size_t i = 0; i < 600; ++i) {
    Random random(2, i);
    for (std::uint64_t& entry : dense[i]) entry = random.below(kPrime);
  }
  const double full = test::seconds_of([&] { EXPECT_TRUE(is_regular(sparse(dense), kPrime)); });
  EXPECT_LT(test::seconds_of([&] { EXPECT_TRUE(is_regular(matrix, kPrime)); }), full / 2);
}

TEST(Elimination, TakesNoMoreMemoryThanItMay) {
  try {
    check_regular(scattered(2000), Modulus{kPrime}, 100'000);
    FAIL() << "what is left of 2,000 rows is larger";
  } catch (const Error& error) {
    EXPECT_EQ(error.option(), "memory") << error.what();
  }
}

}  // namespace
}  // namespace linsep

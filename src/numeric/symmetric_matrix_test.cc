#include "numeric/symmetric_matrix.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace linsep {
namespace {

struct DrawnRows {
  std::vector<std::vector<double>> x;
  std::vector<double> weight;
};

DrawnRows drawn(std::size_t rows, std::size_t features, std::uint64_t one_in) {
  Random random(rows, features);
  DrawnRows all;
  for (std::size_t i = 0; i < rows; ++i) {
    all.x.emplace_back(features);
    for (double& x : all.x.back()) x = random.below(one_in) == 0 ? random.normal() : 0;
    all.weight.push_back(0.1 + random.uniform());
  }
  return all;
}

/// The plain sum of weight·x·xᵀ, x followed by a 1 where there is an offset, plus the identity.
std::vector<std::vector<double>> plain(const DrawnRows& rows, std::size_t size) {
  std::vector<std::vector<double>> sum(size, std::vector<double>(size));
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    std::vector<double> x = rows.x[i];
    x.resize(size, 1);
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t k = 0; k < size; ++k) sum[j][k] += rows.weight[i] * x[j] * x[k];
    }
  }
  for (std::size_t j = 0; j < size; ++j) sum[j][j] += 1;
  return sum;
}

SymmetricMatrix assembled(const DrawnRows& rows, std::size_t size, bool offset, bool dense) {
  SymmetricMatrix matrix;
  matrix.resize(size);
  RowAssembler assembler;
  assembler.resize(size, offset);
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    std::vector<std::uint32_t> column;
    std::vector<double> value;
    for (std::size_t j = 0; j < rows.x[i].size(); ++j) {
      if (rows.x[i][j] == 0) continue;
      column.push_back(static_cast<std::uint32_t>(j));
      value.push_back(rows.x[i][j]);
    }
    if (dense) {
      assembler.add(DenseRow<double>{rows.x[i].data(), rows.x[i].size()}, rows.weight[i], matrix);
    } else {
      assembler.add(SparseRow<double>{column.data(), value.data(), value.size()}, rows.weight[i], matrix);
    }
  }
  assembler.flush(matrix);
  for (std::size_t j = 0; j < size; ++j) matrix.at(j, j) += 1;
  return matrix;
}

TEST(InteriorMatrix, AssemblesTheSumOfSquaredRowsInEveryLayout) {
  for (const std::size_t features : {1U, 5U, 33U, 100U}) {
    for (const std::uint64_t one_in : {1U, 10U}) {
      const DrawnRows rows = drawn(150, features, one_in);
      for (const bool offset : {false, true}) {
        const std::size_t size = features + (offset ? 1 : 0);
        const auto expected = plain(rows, size);
        for (const bool dense : {false, true}) {
          SymmetricMatrix matrix = assembled(rows, size, offset, dense);
          for (std::size_t j = 0; j < size; ++j) {
            for (std::size_t k = j; k < size; ++k) ASSERT_NEAR(matrix.at(j, k), expected[j][k], 1e-11);
          }
        }
      }
    }
  }
}

TEST(InteriorMatrix, SolvesWithItsFactorAndThreadsDontChangeABit) {
  for (const std::size_t size : {1U, 7U, 64U, 65U, 200U, 450U}) {
    const DrawnRows rows = drawn(60, size, 2);
    const auto expected = plain(rows, size);
    Random random(size);
    std::vector<double> truth(size), right(size);
    for (double& x : truth) x = random.normal();
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t k = 0; k < size; ++k) right[j] += expected[j][k] * truth[k];
    }
    std::vector<double> first;
    for (const int threads : {1, 2, 4}) {
      SymmetricMatrix matrix = assembled(rows, size, false, true);
      ASSERT_TRUE(matrix.factor(threads));
      std::vector<double> x = right;
      matrix.solve(x);
      for (std::size_t j = 0; j < size; ++j) ASSERT_NEAR(x[j], truth[j], 1e-8) << size;
      if (threads == 1) first = x;
      EXPECT_EQ(x, first);
    }
  }
}

TEST(InteriorMatrix, SolvesForManyVectorsAsForOne) {
  for (const std::size_t size : {1U, 7U, 64U, 65U, 200U}) {
    SymmetricMatrix matrix = assembled(drawn(60, size, 2), size, false, true);
    ASSERT_TRUE(matrix.factor(1));
    matrix.mirror();
    constexpr std::size_t kWidth = 2 * kRankTile;
    Random random(size);
    std::vector<double> many(size * kWidth);
    for (double& x : many) x = random.normal();
    std::vector<double> solved = many;
    matrix.solve_many(solved.data(), kWidth);
    for (std::size_t c = 0; c < kWidth; ++c) {
      std::vector<double> one(size);
      for (std::size_t j = 0; j < size; ++j) one[j] = many[j * kWidth + c];
      matrix.solve(one);
      for (std::size_t j = 0; j < size; ++j) ASSERT_NEAR(solved[j * kWidth + c], one[j], 1e-10) << size;
    }
  }
}

TEST(InteriorMatrix, SaysWhenItIsNotPositiveDefinite) {
  SymmetricMatrix matrix;
  matrix.resize(3);
  for (std::size_t j = 0; j < 3; ++j) matrix.at(j, j) = 1;
  matrix.at(0, 1) = 2;
  EXPECT_FALSE(matrix.factor(1));
}

}  // namespace
}  // namespace linsep

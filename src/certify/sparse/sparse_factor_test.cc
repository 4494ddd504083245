// SparseFactor against elimination of dense rows one by one, and against products.
#include "certify/sparse/sparse_factor.h"

#include <gtest/gtest.h>

#include "certify/exact/solve.h"
#include "certify/sparse/prime_field.h"
#include "core/random.h"

namespace linsep {
namespace {

struct Drawn {
  std::vector<FieldRow> sparse;
  IntegerRows dense;
};

/// Entries from −2 to 2, one in `rarity` of them not 0; some rows are sums of two others.
Drawn drawn(Random& random, std::size_t rows, std::uint32_t columns, std::uint64_t rarity) {
  Drawn set;
  for (std::size_t r = 0; r < rows; ++r) {
    IntegerVector dense(columns);
    for (Integer& value : dense) {
      if (random.below(rarity) == 0) value = static_cast<std::int64_t>(random.below(5)) - 2;
    }
    if (r >= 2 && random.below(4) == 0) {
      for (std::uint32_t j = 0; j < columns; ++j) dense[j] = set.dense[r - 1][j] + set.dense[r - 2][j];
    }
    FieldRow sparse;
    for (std::uint32_t j = 0; j < columns; ++j) {
      if (dense[j] != 0) sparse.push_back({j, static_cast<std::uint32_t>(modulo(dense[j], kFieldPrime))});
    }
    set.sparse.push_back(std::move(sparse));
    set.dense.push_back(std::move(dense));
  }
  return set;
}

std::size_t rank_one_by_one(const IntegerRows& rows, std::size_t columns) {
  ModularSpan span(columns);
  for (const IntegerVector& row : rows) span.add(row);
  return span.rank();
}

std::vector<std::uint32_t> drawn_right(Random& random, std::size_t columns) {
  std::vector<std::uint32_t> right(columns);
  for (std::uint32_t& value : right) value = static_cast<std::uint32_t>(random.below(kFieldPrime));
  return right;
}

void expect_solves(const SparseFactor& factor, const std::vector<FieldRow>& rows, std::vector<std::uint32_t> right) {
  const std::vector<std::uint32_t> wanted = right;
  const std::vector<std::uint32_t> x = factor.combination(right);
  std::vector<std::uint64_t> sum(wanted.size(), 0);
  std::vector<bool> is_pivot(rows.size(), false);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const FieldEntry& entry : rows[i]) sum[entry.index] = fold(sum[entry.index] + field_times(x[i], entry.value));
  }
  for (const SparseFactor::Pivot& pivot : factor.pivots()) {
    EXPECT_EQ(sum[pivot.column], wanted[pivot.column]);
    EXPECT_FALSE(is_pivot[pivot.row]) << "a row is the pivot of one column";
    is_pivot[pivot.row] = true;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_TRUE(is_pivot[i] || x[i] == 0);
}

TEST(SparseFactor, FindsTheRankAndSolvesWithPivotRowsAlone) {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE(seed);
    Random random(91, seed);
    const bool large = seed % 20 == 0;  // of several panels
    const std::size_t rows = 1 + random.below(large ? 160 : 30);
    const auto columns = static_cast<std::uint32_t>(1 + random.below(large ? 160 : 30));
    const Drawn set = drawn(random, rows, columns, 1 + random.below(large ? 40 : 12));
    SparseFactor factor;
    ASSERT_EQ(factor.factor(set.sparse, columns, {}), SparseFactor::End::kDone);
    EXPECT_EQ(factor.rank(), rank_one_by_one(set.dense, columns));
    expect_solves(factor, set.sparse, drawn_right(random, columns));
  }
}

TEST(SparseFactor, StopsWhenAsked) {
  Random random(92, 0);
  const Drawn set = drawn(random, 20, 20, 2);
  SparseFactor factor;
  EXPECT_EQ(factor.factor(set.sparse, 20, [] { return true; }), SparseFactor::End::kStopped);
}

TEST(PrimeField, NumbersFoldToTheirRemainder) {
  for (const std::uint64_t a : {std::uint64_t{0}, std::uint64_t{kFieldPrime} - 1, std::uint64_t{kFieldPrime},
                                std::uint64_t{kFieldPrime} * kFieldPrime, ~std::uint64_t{0}}) {
    EXPECT_EQ(fold(a), a % kFieldPrime) << a;
  }
  for (const std::uint32_t a : {1U, 2U, 12345678U, kFieldPrime - 1}) EXPECT_EQ(field_times(a, field_inverse(a)), 1U);
}

}  // namespace
}  // namespace linsep

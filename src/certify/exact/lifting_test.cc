// Compares lifting with dense exact solutions.
#include <gtest/gtest.h>

#include "certify/exact/lifting.h"
#include "certify/exact/solve.h"
#include "core/random.h"

namespace linsep {
namespace {

struct System {
  std::vector<MachineRow> rows;
  std::vector<WideInteger> right;
  std::vector<FieldRow> modular;
};

System drawn(Random& random, std::uint32_t size, std::int64_t range) {
  System system;
  const auto number = [&] { return static_cast<std::int64_t>(random.below(2 * range + 1)) - range; };
  for (std::uint32_t r = 0; r < size; ++r) {
    MachineRow row;
    FieldRow modular;
    for (std::uint32_t j = 0; j < size; ++j) {
      const std::int64_t value = j == r || random.below(3) == 0 ? number() : 0;
      if (value == 0) continue;
      row.column.push_back(j);
      row.value.push_back(value);
      modular.push_back({j, static_cast<std::uint32_t>(modulo(Integer(value), kFieldPrime))});
    }
    system.rows.push_back(std::move(row));
    system.modular.push_back(std::move(modular));
    system.right.push_back(number());
  }
  return system;
}

/// The same by dense exact arithmetic. x with Σ x_i·row_i = right, or nothing.
std::optional<ExactSolution> densely(const System& system) {
  const std::size_t size = system.rows.size();
  IntegerRows left(size, IntegerVector(size)), right(size, IntegerVector(1));
  for (std::size_t i = 0; i < size; ++i) {
    const MachineRow& row = system.rows[i];
    for (std::size_t k = 0; k < row.column.size(); ++k) left[row.column[k]][i] = row.value[k];
    right[i][0] = static_cast<std::int64_t>(system.right[i]);
  }
  return solve_exactly(left, right);
}

TEST(Lifting, SolvesWhatDenseArithmeticSolves) {
  int regular = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(93, seed);
    const System system = drawn(random, static_cast<std::uint32_t>(1 + random.below(12)), 1 + random.below(1000));
    const auto expected = densely(system);
    SparseFactor factor;
    ASSERT_EQ(factor.factor(system.modular, static_cast<std::uint32_t>(system.rows.size()), {}),
              SparseFactor::End::kDone);
    ASSERT_EQ(expected.has_value(), factor.rank() == system.rows.size());
    if (!expected) continue;
    ++regular;
    const Lifted lifted = solve_by_lifting(factor, system.rows, system.right, 64, {});
    ASSERT_EQ(lifted.end, Lifted::End::kSolved);
    for (std::size_t k = 0; k < factor.rank(); ++k) {
      EXPECT_EQ(ratio(lifted.numerator[k], lifted.denominator),
                ratio(expected->numerator[factor.pivots()[k].row][0], expected->denominator));
    }
  }
  EXPECT_GT(regular, 150);
}

TEST(Lifting, EndsWhenASolutionIsTooLongOrNobodyWaits) {
  Random random(94, 0);
  const System system = drawn(random, 40, 1000);
  SparseFactor factor;
  ASSERT_EQ(factor.factor(system.modular, 40, {}), SparseFactor::End::kDone);
  EXPECT_EQ(solve_by_lifting(factor, system.rows, system.right, 8, {}).end, Lifted::End::kTooLong);
  EXPECT_EQ(solve_by_lifting(factor, system.rows, system.right, 100, [] { return true; }).end, Lifted::End::kStopped);
}

TEST(Lifting, AFractionIsRecoveredOrRefused) {
  const Integer modulus = power_of(kFieldPrime, 7);  // 217 bits
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(95, seed);
    const Integer n = static_cast<std::int64_t>(random.below(1'000'000'007)) - 500'000'000;
    const Integer d = 1 + static_cast<std::int64_t>(random.below(1'000'000'007));
    // d's inverse modulo p⁷, by Newton's iteration from the one modulo p.
    Integer inverse = std::uint64_t{field_inverse(static_cast<std::uint32_t>(modulo(d, kFieldPrime)))};
    for (int k = 0; k < 3; ++k) {
      inverse = inverse * (2 - d * inverse);
      inverse -= floor_quotient(inverse, modulus) * modulus;
    }
    Integer residue = n * inverse;
    residue -= floor_quotient(residue, modulus) * modulus;
    Integer numerator, denominator;
    ASSERT_TRUE(recover_fraction(residue, modulus, numerator, denominator));
    EXPECT_EQ(ratio(numerator, denominator), ratio(n, d));
  }
  Integer n, d;
  EXPECT_FALSE(recover_fraction(power_of(12345, 15), modulus, n, d)) << "no short fraction";
}

// Compares SparseFactor with elimination of dense rows one by one, and with products.

struct Drawn {
  std::vector<FieldRow> sparse;
  IntegerRows dense;
};

/// Entries from −2 to 2, one in `rarity` of them not 0. Some rows are sums of two others.
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

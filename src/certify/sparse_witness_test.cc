// From rows to a support to an exact witness, compared with the oracle that tries all bases.

#include <gtest/gtest.h>

#include <numeric>

#include "certify/oracle.h"
#include "certify/sparse_witness.h"
#include "certify/testing.h"

namespace linsep {
namespace {

using testing::TenthRows;

UnitRows unit_rows(const TenthRows& set, bool origin) {
  UnitRows rows;
  rows.columns = set.features() + (origin ? 0 : 1);
  for (std::size_t i = 0; i < set.rows(); ++i) {
    for (std::uint32_t j = 0; j < set.features(); ++j) {
      if (set.x[i][j] == 0) continue;
      rows.column.push_back(j);
      rows.value.push_back(set.label[i] * set.number(i, j));
    }
    if (!origin) {
      rows.column.push_back(set.features());
      rows.value.push_back(set.label[i]);
    }
    rows.end_row(static_cast<std::int64_t>(i));
  }
  return rows;
}

std::vector<std::size_t> all_of(const UnitRows& rows) {
  std::vector<std::size_t> all(rows.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

SparseWitness found_in(const TenthRows& set, bool origin, const std::vector<Support>& supports) {
  for (const Support& support : supports) {
    std::vector<ExactRow> exact;
    for (const std::int64_t row : support.row) exact.push_back(set.exact_row(row, testing::space_of(set, origin)));
    SparseWitness found = sparse_witness(exact, support, {});
    if (found.end == SparseWitness::End::kFound) return found;
  }
  return {};
}

TEST(SparseWitness, IsFoundExactlyWhereRowsArentSeparable) {
  int inseparable = 0, missed = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(96, seed);
    const bool origin = random.below(2) == 0;
    const auto features = static_cast<std::uint32_t>(1 + random.below(4));
    const TenthRows set =
        testing::drawn_rows(seed, 1 + random.below(9), features, 1 + static_cast<int>(random.below(3)));
    std::vector<std::vector<Rational>> z;  // except rows of zeros, which have no direction
    for (const auto& row : set.all_z(origin)) {
      if (std::any_of(row.begin(), row.end(), [](const Rational& v) { return v != 0; })) z.push_back(row);
    }
    const SupportSearch search = find_supports(unit_rows(set, origin), {});
    const SparseWitness found = found_in(set, origin, search.found);
    const bool separable = truth_of(z).claim == Claim::kSeparable;
    inseparable += separable ? 0 : 1;
    const bool is_found = found.end == SparseWitness::End::kFound;
    ASSERT_FALSE(is_found && separable);
    // If 0.3 is the nearest double, rows may depend on each other except for 10⁻¹⁷, which floats can't see.
    ASSERT_TRUE(is_found || separable || set.binary);
    missed += is_found || separable ? 0 : 1;
    if (!is_found) continue;
    EXPECT_TRUE(testing::is_witness(found.witness, set, origin));
    std::vector<std::vector<Rational>> rows, basis;
    for (const auto& [row, alpha] : found.witness) rows.push_back(set.z(static_cast<std::size_t>(row), origin));
    for (const std::int64_t row : found.basis) basis.push_back(set.z(static_cast<std::size_t>(row), origin));
    if (basis.empty()) continue;
    EXPECT_EQ(oracle::rank_of(basis), basis.size());
    EXPECT_EQ(oracle::rank_of(rows), basis.size());
  }
  EXPECT_GT(inseparable, 500);
  EXPECT_LE(missed, 4);
}

TEST(SparseWitness, SlacksSumUpToNothingOrAllRowsAreSeparated) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    const TenthRows set = testing::drawn_rows(seed, 2 + seed % 40, 1 + seed % 7, 9);
    const UnitRows rows = unit_rows(set, false);
    const LeastHinge hinge = least_squared_hinge(rows, 3000, {});
    ASSERT_TRUE(hinge.end == LeastHinge::End::kMinimum || hinge.end == LeastHinge::End::kSeparated);
    if (hinge.end == LeastHinge::End::kSeparated) continue;
    std::vector<double> sum(rows.columns, 0.0);
    double greatest = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      greatest = std::max(greatest, hinge.slack[i]);
      for (std::size_t k = rows.begin[i]; k < rows.begin[i + 1]; ++k) {
        sum[rows.column[k]] += hinge.slack[i] * rows.value[k];
      }
    }
    EXPECT_GE(greatest, 1) << "a row is on the boundary or beyond";
    for (const double value : sum) EXPECT_NEAR(value, 0, 1e-10 * static_cast<double>(rows.size()));
  }
}

TEST(SparseWitness, PeelingLeavesEveryRowOfAWitness) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    const TenthRows set = testing::drawn_rows(seed, 1 + seed % 9, 1 + seed % 4, 1);
    const UnitRows rows = unit_rows(set, false);
    const std::vector<bool> at_zero = truth_of(set.all_z(false)).is_at_zero;
    const std::vector<std::size_t> left = peeled(rows, all_of(rows));
    for (std::size_t i = 0; i < set.rows(); ++i) {
      EXPECT_TRUE(!at_zero[i] || std::find(left.begin(), left.end(), i) != left.end()) << i;
    }
  }
}

TEST(SparseWitness, RowsWithoutARareColumnComeFirst) {
  const TenthRows set{{{1, 0, 5}, {2, 0, 0}, {3, 4, 0}, {4, 5, 0}, {1, 0, 0}}, {1, -1, 1, -1, 1}};
  const UnitRows rows = unit_rows(set, true);
  EXPECT_EQ(by_rarest_column(rows), (std::vector<std::size_t>{1, 4, 2, 3, 0}));
  const UnitRows first = restricted(rows, std::vector<std::size_t>{2, 3});
  EXPECT_EQ(first.columns, 2U);
  EXPECT_EQ(first.number, (std::vector<std::int64_t>{2, 3}));
}

}  // namespace
}  // namespace linsep

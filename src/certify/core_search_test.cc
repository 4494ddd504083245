// CoreSearch under a loop that scans every row exactly, compared with the oracle that tries all bases.
#include "certify/core_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "certify/oracle.h"
#include "certify/testing.h"

namespace linsep {
namespace {

using testing::TenthRows;

enum class Start {
  kEmpty,      ///< no row in the working set
  kFloats,     ///< every second row, from floats
  kExact,      ///< every second row, read exactly
  kConflicts,  ///< the pairs z_i = −z_j
};
constexpr Start kStarts[] = {Start::kEmpty, Start::kFloats, Start::kExact, Start::kConflicts};

std::vector<std::uint32_t> columns_in_use(const TenthRows& set, bool origin) {
  std::vector<std::uint32_t> columns;
  for (std::uint32_t j = 0; j < set.features(); ++j) {
    const auto is_used = [&](const std::vector<int>& x) { return x[j] != 0; };
    if (std::any_of(set.x.begin(), set.x.end(), is_used)) columns.push_back(j);
  }
  if (!origin) columns.push_back(set.features());
  return columns;
}

bool are_opposite(std::vector<Rational> a, const std::vector<Rational>& b) {
  for (Rational& v : a) v = Rational(0) - v;
  return a == b;
}

void begin(CoreSearch& search, const TenthRows& set, bool origin, Start start) {
  std::vector<WorkRow> work;
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < set.rows(); i += 2) {
    work.push_back(set.work_row(static_cast<std::int64_t>(i)));
    numbers.push_back(static_cast<std::int64_t>(i));
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  std::vector<bool> used(set.rows(), false);
  for (std::size_t i = 0; i < set.rows(); ++i) {
    for (std::size_t k = i + 1; k < set.rows(); ++k) {
      if (used[i] || used[k] || !are_opposite(set.z(i, origin), set.z(k, origin))) continue;
      pairs.emplace_back(i, k);
      used[i] = used[k] = true;
    }
  }
  if (start == Start::kFloats) search.add(work);
  if (start == Start::kExact) search.add_exactly(numbers);
  if (start == Start::kConflicts) search.add_conflicts(pairs);
}

/// Searches until a scan of all rows passes, or all rows are known to be at zero. Nothing if it doesn't end.
std::optional<std::vector<bool>> rows_at_zero(CoreSearch& search, const TenthRows& set, const RowSpace& space) {
  for (int scan = 0; scan < 200; ++scan) {
    const CoreSearch::Next next = search.next({});
    std::vector<bool> at_zero(set.rows(), true);
    if (next == CoreSearch::Next::kAllAtZero) return at_zero;
    std::vector<std::int64_t> violated;
    for (std::size_t i = 0; i < set.rows(); ++i) {
      const RowSide side = search.side(set.exact_row(static_cast<std::int64_t>(i), space));
      at_zero[i] = side == RowSide::kAtZero;
      if (side == RowSide::kViolated) violated.push_back(static_cast<std::int64_t>(i));
    }
    if (violated.empty()) return at_zero;
    search.add_violated(violated);
  }
  return std::nullopt;
}

void expect_truth(const TenthRows& set, bool origin, Start start) {
  const std::vector<std::uint32_t> active = columns_in_use(set, origin);
  if (active.empty()) return;
  const RowSpace space = testing::space_of(set, origin);
  const std::vector<int> exponent(std::size_t{set.features()} + 1, 0);
  CoreSearch search(space, active, exponent, false, [&](const std::vector<std::int64_t>& rows) {
    std::vector<ExactRow> exact;
    for (const std::int64_t row : rows) exact.push_back(set.exact_row(row, space));
    return exact;
  });
  begin(search, set, origin, start);
  const auto found = rows_at_zero(search, set, space);
  const Truth truth = truth_of(set.all_z(origin));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(*found, truth.is_at_zero);
  EXPECT_EQ(search.has_witness(), truth.at_zero > 0);
  if (!search.has_witness()) return;
  EXPECT_TRUE(testing::is_witness(search.witness(), set, origin));
  EXPECT_EQ(search.basis_rows().size(), search.rank());
  std::vector<std::vector<Rational>> left;
  for (std::size_t i = 0; i < set.rows(); ++i) {
    if (truth.is_at_zero[i]) left.push_back(set.z(i, origin));
  }
  EXPECT_EQ(search.rank(), oracle::rank_of(left)) << "the witness spans the rows at zero";
}

/// Every set of `rows` rows with two features in {−1, 0, 1} tenths and any labels, every `step`-th of them.
template <class F>
void for_all_sets(std::size_t rows, std::size_t step, F&& f) {
  std::size_t count = 1;
  for (std::size_t i = 0; i < rows; ++i) count *= 18;
  for (std::size_t code = 0; code < count; code += step) {
    TenthRows set;
    set.binary = code % 2 == 0;
    std::size_t rest = code;
    for (std::size_t i = 0; i < rows; ++i, rest /= 18) {
      set.x.push_back({static_cast<int>(rest % 3) - 1, static_cast<int>(rest / 3 % 3) - 1});
      set.label.push_back(rest % 18 < 9 ? -1 : 1);
    }
    f(set, code);
  }
}

TEST(CoreSearch, KnowsEveryTinySet) {
  for (const std::size_t rows : {1U, 2U, 3U}) {
    for_all_sets(rows, 1, [&](const TenthRows& set, std::size_t code) {
      SCOPED_TRACE(fmt::format("{} rows, set {}", rows, code));
      expect_truth(set, false, kStarts[code % 4]);
      expect_truth(set, true, kStarts[code / 4 % 4]);
    });
  }
  for_all_sets(5, 997, [&](const TenthRows& set, std::size_t code) {
    SCOPED_TRACE(fmt::format("5 rows, set {}", code));
    for (const bool origin : {false, true}) expect_truth(set, origin, kStarts[code % 4]);
  });
}

TEST(CoreSearch, KnowsDrawnSetsHoweverItBegins) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Random random(75, seed);
    const auto features = static_cast<std::uint32_t>(1 + random.below(3));
    const TenthRows set = testing::drawn_rows(seed, 3 + random.below(7), features, seed % 2 == 0 ? 1 : 40);
    for (const Start start : kStarts) {
      SCOPED_TRACE(fmt::format("seed {}, start {}", seed, static_cast<int>(start)));
      expect_truth(set, seed % 3 == 0, start);
    }
  }
}

TEST(CoreSearch, ARowOfZerosIsAWitness) {
  const TenthRows set{{{0, 0}, {1, 2}, {-1, 1}}, {1, 1, 1}};
  const RowSpace space = testing::space_of(set, true);
  CoreSearch search(space, {0, 1}, {0, 0, 0}, false, {});
  search.add_zero_row(set.exact_row(0, space));
  EXPECT_EQ(search.witness(), (Witness{{0, 1}}));
  EXPECT_EQ(search.rank(), 0U);
}

TEST(CoreSearch, ACandidateIsWhatItsDoublesSay) {
  const TenthRows set{{{10, 3}, {7, -2}, {-9, 1}}, {1, 1, -1}};
  const RowSpace space = testing::space_of(set, true);
  CoreSearch search(space, {0, 1}, {0, 0, 0}, false, {});
  search.add({set.work_row(0), set.work_row(1), set.work_row(2)});
  ASSERT_EQ(search.next({}), CoreSearch::Next::kScan);
  const Candidate& candidate = search.candidate();
  ASSERT_EQ(candidate.relative_error, 0);
  for (std::size_t k = 0; k < 2; ++k) {
    const Rational weight = Rational(candidate.exact[k]) * candidate.exact_unit;
    EXPECT_EQ(weight, Rational(candidate.scaled[k]));
  }
  for (std::int64_t row = 0; row < 3; ++row) {
    EXPECT_EQ(search.side(set.exact_row(row, space)), RowSide::kPositive);
  }
}

TEST(CoreSearch, StopsWhenItIsToldTo) {
  TenthRows set = testing::drawn_rows(3, 200, 6, 100);
  const RowSpace space = testing::space_of(set, false);
  CoreSearch search(space, columns_in_use(set, false), std::vector<int>(7, 0), false, {});
  std::vector<WorkRow> rows;
  for (std::int64_t row = 0; row < 200; ++row) rows.push_back(set.work_row(row));
  search.add(rows);
  EXPECT_EQ(search.next([] { return true; }), CoreSearch::Next::kStopped);
  EXPECT_FALSE(search.has_witness());
}

}  // namespace
}  // namespace linsep

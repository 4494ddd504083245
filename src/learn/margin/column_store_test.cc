#include "learn/margin/column_store.h"

#include <gtest/gtest.h>

#include "learn/testing.h"

namespace linsep {
namespace {

using testing::Packed;

std::vector<double> values_of(const SparseRow<double>& column) { return {column.value, column.value + column.size}; }

TEST(ColumnStore, LeavesOutRowsWithoutACost) {
  const Packed rows({{{1, 0}, {2, 5}, {3, 6}}, {1, -1, 1}, {}});
  ColumnStore store;
  store.begin(std::vector<std::int64_t>{3, 2});
  store.add(rows.batch(), 0, std::vector<double>{1, 0, 1});
  EXPECT_EQ(values_of(store.column(0)), (std::vector<double>{1, 3}));
  EXPECT_EQ(values_of(store.column(1)), (std::vector<double>{6}));
}

TEST(ColumnExtract, HasTheRowsThatCountAndNumbersThemAnew) {
  const Packed rows({{{1, 0, 7}, {2, 5, 8}, {3, 6, 0}}, {1, -1, 1}, {}});
  ColumnStore store;
  store.begin(std::vector<std::int64_t>{3, 2, 2});
  store.add(rows.batch(), 0, std::vector<double>{1, 1, 1});
  ColumnExtract extract;
  extract.take(store, std::vector<std::uint32_t>{0, 2}, std::vector<double>{0, 0.5, 0.25});
  EXPECT_EQ(extract.curvature().size(), 2U);
  EXPECT_EQ(extract.curvature()[1], 0.25);
  EXPECT_EQ(values_of(extract.column(0)), (std::vector<double>{2, 3}));
  EXPECT_EQ(values_of(extract.column(1)), (std::vector<double>{8}));
  EXPECT_EQ(extract.column(1).column[0], 0U);
}

}  // namespace
}  // namespace linsep

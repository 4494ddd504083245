#include "numeric/column_store.h"

#include <gtest/gtest.h>

namespace linsep {
namespace {

const std::vector<double> kValues = {1, 0, 7, 2, 5, 8, 3, 6, 0};

/// Three rows of three columns.
Batch dense_rows() {
  Batch batch;
  batch.rows = 3;
  batch.features = 3;
  batch.dense = true;
  batch.is_float = false;
  batch.stride = 3;
  batch.value64 = kValues;
  return batch;
}

std::vector<double> values_of(const SparseRow<double>& column) { return {column.value, column.value + column.size}; }

TEST(ColumnStore, LeavesOutRowsThatArentWanted) {
  ColumnStore store;
  store.begin(std::vector<std::int64_t>{3, 2, 2});
  store.add(dense_rows(), 0, [](std::size_t i) { return i != 1; });
  EXPECT_EQ(values_of(store.column(0)), (std::vector<double>{1, 3}));
  EXPECT_EQ(values_of(store.column(1)), (std::vector<double>{6}));
}

TEST(ColumnExtract, HasTheRowsThatCountAndNumbersThemAnew) {
  ColumnStore store;
  store.begin(std::vector<std::int64_t>{3, 2, 2});
  store.add(dense_rows(), 0, [](std::size_t) { return true; });
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

// Arrays with 64-bit columns and one-byte labels, or arrays that change while they are read, give the same rows as ours
// in every order.
#include <gtest/gtest.h>

#include "core/slice.h"
#include "data/order_source.h"
#include "data/permute.h"
#include "data/test_rows.h"
#include "linsep/error.h"
#include "linsep/read.h"

namespace linsep {
namespace {

/// The same rows twice, as this library keeps them and as others do.
class Foreign {
 public:
  Foreign(std::int64_t rows, std::uint32_t features, bool dense)
      : rows_(drawn_rows(rows, features, 3)), page_(plain_page(rows_, features, dense, true)), batch_(page_.batch) {
    column_.assign(batch_.column.begin(), batch_.column.end());
    for (const double label : batch_.label) label_.push_back(static_cast<std::int8_t>(label));
    batch_.label = {};
    batch_.label8 = label_;
    if (!dense) {
      batch_.column = {};
      batch_.column64 = column_;
    }
  }

  const std::vector<PlainRow>& rows() const { return rows_; }
  std::unique_ptr<Source> ours() const { return view(page_.batch, schema_); }
  std::unique_ptr<Source> theirs() const { return view(batch_, schema_); }
  const Batch& batch() const { return batch_; }

 private:
  Schema schema_{{"no", "yes"}, {}};
  std::vector<PlainRow> rows_;
  Page page_;
  Batch batch_;
  std::vector<std::int64_t> column_;
  std::vector<std::int8_t> label_;
};

TEST(ForeignArrays, AreTheSameRowsInEveryPass) {
  for (const bool dense : {false, true}) {
    const Foreign arrays(20000, 9, dense);  // several slices
    const auto source = arrays.theirs();
    EXPECT_EQ(rows_of_pass(*source, 0), arrays.rows());
    source->next();
    EXPECT_EQ(rows_of_pass(*source, 1), arrays.rows()) << "after a pass that was left";
    EXPECT_EQ(source->shape().nonzeros, arrays.ours()->shape().nonzeros);
  }
}

TEST(ForeignArrays, AreHandedOutAFewRowsAtATimeAndNeverAsTheyAre) {
  const Foreign arrays(20000, 9, false);
  const auto source = arrays.theirs();
  std::int64_t rows = 0, batches = 0;
  source->rewind(0);
  while (const auto batch = source->next()) {
    EXPECT_FALSE(batch->foreign());
    EXPECT_FALSE(batch->pinned);
    EXPECT_LE(batch->column.size(), std::size_t{1} << 16);
    EXPECT_EQ(batch->first_row, rows);
    rows += batch->rows;
    ++batches;
  }
  EXPECT_EQ(rows, 20000);
  EXPECT_GT(batches, 1);
}

TEST(ForeignArrays, ARowLongerThanASliceIsHandedOutWhole) {
  const std::size_t size = (std::size_t{1} << 16) + 5;
  std::vector<std::int64_t> column(size + 1);
  for (std::size_t k = 0; k < size; ++k) column[k + 1] = static_cast<std::int64_t>(k);
  const std::vector<float> value(size + 1, 1);
  const std::vector<std::uint64_t> start{0, 1, size + 1};
  Batch batch;
  batch.rows = 2;
  batch.features = static_cast<std::uint32_t>(size);
  batch.start = start;
  batch.column64 = column;
  batch.value32 = value;
  const auto source = view(batch, {});
  EXPECT_EQ(source->next()->rows, 1);
  const auto second = source->next();
  EXPECT_EQ(second->column.size(), size);
  EXPECT_EQ(second->column.back(), size - 1);
  EXPECT_FALSE(source->next());
}

TEST(ForeignArrays, HaveTheSameOrdersAsOurs) {
  const Foreign arrays(500, 7, false);
  const auto ours = arrays.ours(), theirs = arrays.theirs();
  auto& memory = dynamic_cast<MemorySource&>(*ours);
  auto& foreign = dynamic_cast<MemorySource&>(*theirs);
  for (const std::uint64_t pass : {0U, 1U}) {
    EXPECT_EQ(rows_of_pass(*index_rows(foreign, 5), pass), rows_of_pass(*index_rows(memory, 5), pass));
    EXPECT_EQ(rows_of_pass(*permute_rows(foreign, 5, 2), pass), rows_of_pass(*permute_rows(memory, 5, 2), pass));
    for (const RowOrder order : {RowOrder::kShuffled, RowOrder::kDrawn}) {
      EXPECT_EQ(rows_of_pass(*order_rows(foreign, order, 9), pass), rows_of_pass(*order_rows(memory, order, 9), pass));
    }
  }
}

TEST(ForeignArrays, AreWrittenAsOursAre) {
  const Foreign arrays(30, 5, false);
  const auto ours = arrays.ours(), theirs = arrays.theirs();
  const std::vector<std::int64_t> numbers{0, 7, 29};
  const std::vector<WrittenRow> a = ours->written(numbers), b = theirs->written(numbers);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].label, b[i].label);
    ASSERT_EQ(a[i].values.size(), b[i].values.size());
    for (std::size_t k = 0; k < a[i].values.size(); ++k) {
      EXPECT_EQ(a[i].values[k].column, b[i].values[k].column);
      EXPECT_EQ(a[i].values[k].binary, b[i].values[k].binary);
    }
  }
}

/// Every column that a pass hands out.
std::vector<std::uint32_t> columns_of_pass(Source& source) {
  std::vector<std::uint32_t> columns;
  source.rewind(0);
  while (const auto batch = source.next()) {
    for (std::int64_t i = 0; i < batch->rows; ++i) {
      const auto row = static_cast<std::size_t>(i);
      for (std::uint64_t k = batch->start[row]; k < batch->start[row + 1]; ++k) columns.push_back(batch->column[k]);
    }
  }
  return columns;
}

TEST(ForeignArrays, ThatChangeAfterTheyWereCheckedAreNeverReadBeyondTheirFeatures) {
  const std::vector<std::uint64_t> start{0, 2, 4};
  std::vector<std::uint32_t> column{0, 2, 1, 2};
  std::vector<std::int64_t> column64(column.begin(), column.end());
  const std::vector<float> value(4, 1);
  const std::vector<double> label{-1, 1};
  for (const bool wide : {false, true}) {
    Batch batch;
    batch.rows = 2;
    batch.features = 3;
    batch.start = start;
    if (wide) {
      batch.column64 = column64;
    } else {
      batch.column = column;
    }
    batch.value32 = value;
    batch.label = label;
    const auto source = view(batch, {{"no", "yes"}, {}});  // not pinned
    auto& memory = dynamic_cast<MemorySource&>(*source);
    EXPECT_EQ(columns_of_pass(*source), (std::vector<std::uint32_t>{0, 2, 1, 2}));
    column[1] = 4'000'000'000;
    column64[1] = -7;
    EXPECT_EQ(columns_of_pass(*source), (std::vector<std::uint32_t>{0, 2, 1, 2}));
    std::vector<std::unique_ptr<Source>> others;
    others.push_back(index_rows(memory, 5));
    others.push_back(permute_rows(memory, 5, 1));
    others.push_back(order_rows(memory, RowOrder::kShuffled, 9));
    for (const auto& other : others) {
      for (const std::uint32_t one : columns_of_pass(*other)) EXPECT_LT(one, 3U);
    }
    const std::vector<std::int64_t> first{0};
    EXPECT_EQ(source->written(first).front().values[1].column, 2U);
    column[1] = 2;
    column64[1] = 2;
  }
}

TEST(ForeignArrays, MayNotBeGivenBesideOurs) {
  const Foreign arrays(5, 3, false);
  Batch twice = arrays.batch();
  const std::vector<std::uint32_t> column(twice.column64.size());
  twice.column = column;
  EXPECT_THROW(view(twice, {}), Error);
}

}  // namespace
}  // namespace linsep

#include "data/memory_source.h"

#include <gtest/gtest.h>

#include "data/test_rows.h"
#include "linsep/error.h"
#include "linsep/read.h"

namespace linsep {
namespace {

TEST(MemorySource, GivesItsRowsInOrderInEveryPass) {
  const auto rows = drawn_rows(10, 4, 1);
  for (const bool dense : {false, true}) {
    for (const bool is_float : {false, true}) {
      for (const std::size_t page_rows : {1U, 3U, 10U}) {
        MemorySource source(plain_pages(rows, 4, page_rows, dense, is_float), {}, 0);
        EXPECT_EQ(rows_of_pass(source, 0), rows);
        EXPECT_EQ(rows_of_pass(source, 7), rows);
        EXPECT_FALSE(source.next().has_value());
      }
    }
  }
}

TEST(MemorySource, IsAsWideAsItsWidestPageOrAsAsked) {
  const auto rows = drawn_rows(6, 3, 2);
  std::vector<Page> pages = plain_pages(rows, 3, 2);
  pages[1].batch.features = 5;
  EXPECT_EQ(MemorySource(pages, {}, 0).shape().features, 5U);
  MemorySource wide(pages, {}, 9);
  EXPECT_EQ(wide.shape().features, 9U);
  EXPECT_EQ(wide.shape().rows, 6);
  EXPECT_EQ(wide.next()->features, 9U);
  std::int64_t nonzeros = 0;
  for (const PlainRow& row : rows) nonzeros += static_cast<std::int64_t>(row.entries.size());
  EXPECT_EQ(wide.shape().nonzeros, nonzeros);
}

TEST(MemorySource, OfADenseSetKeepsTheLengthOfItsRows) {
  MemorySource source(plain_pages(drawn_rows(2, 3, 2), 3, 2, true), {}, 9);
  EXPECT_EQ(source.shape().features, 9U);
  EXPECT_EQ(source.next()->features, 3U);
  EXPECT_EQ(source.shape().nonzeros, 6);
}

TEST(MemorySource, WithoutRowsEndsAtOnce) {
  MemorySource source({Page{}}, {}, 2);
  EXPECT_EQ(source.shape().rows, 0);
  EXPECT_FALSE(source.next().has_value());
  EXPECT_THROW(source.written(std::vector<std::int64_t>{0}), Error);
}

TEST(MemorySource, FindsTheLeastAndGreatestRowOfEveryPage) {
  auto rows = drawn_rows(11, 2, 3);
  for (PlainRow& row : rows) row.number += 100;  // a shard
  for (std::size_t page_rows = 1; page_rows <= 11; ++page_rows) {
    MemorySource source(plain_pages(rows, 2, page_rows), {}, 0);
    for (const PlainRow& row : rows) {
      EXPECT_EQ(source.page_of(row.number), static_cast<std::size_t>(row.number - 100) / page_rows);
    }
    EXPECT_EQ(source.first_row(), 100);
    EXPECT_EQ(source.end_row(), 111);
  }
}

TEST(MemorySource, AnswersRowsAsBinaryValuesWhenNothingWasWritten) {
  const std::vector<PlainRow> rows = {{0, {{0, 0.5}}, -1, 1}, {1, {}, 1, 1}, {2, {{0, 2.0}, {1, 0.75}}, 1, 1}};
  const std::vector<std::int64_t> asked = {0, 2};
  for (const bool dense : {false, true}) {
    MemorySource source(plain_pages(rows, 2, 2, dense), {{"no", "yes"}, {}}, 0);
    const auto written = source.written(asked);
    ASSERT_EQ(written.size(), 2U);
    EXPECT_EQ(written[0].row, 0);
    EXPECT_EQ(written[0].label, "no");
    ASSERT_EQ(written[0].values.size(), dense ? 2U : 1U);
    EXPECT_EQ(written[0].values[0].binary, 0.5);
    EXPECT_EQ(written[1].row, 2);
    EXPECT_EQ(written[1].label, "yes");
    ASSERT_EQ(written[1].values.size(), 2U);
    EXPECT_EQ(written[1].values[1].column, 1U);
    EXPECT_EQ(written[1].values[1].binary, 0.75);
    EXPECT_EQ(written[1].values[1].decimal, "");
  }
}

TEST(MemorySource, AsksItsReaderForWhatWasWritten) {
  MemorySource source(plain_pages(drawn_rows(3, 2, 4), 2, 2), {}, 0, [](std::span<const std::int64_t> rows) {
    WrittenRow row;
    row.row = rows.front();
    row.label = "as written";
    return std::vector<WrittenRow>{row};
  });
  const std::vector<std::int64_t> one = {1};
  const std::vector<std::int64_t> none = {3};
  EXPECT_EQ(source.written(one).front().label, "as written");
  EXPECT_THROW(source.written(none), Error);
}

TEST(View, BorrowsTheArraysItIsGiven) {
  const auto rows = drawn_rows(5, 3, 5);
  const Page page = plain_page(rows, 3, false, false);
  const auto source = view(page.batch, {{"a", "b"}, {"u", "v", "w"}});
  EXPECT_EQ(source->next()->value64.data(), page.batch.value64.data());
  EXPECT_EQ(rows_of_pass(*source, 0), rows);
  EXPECT_EQ(source->schema().feature_names[2], "w");
}

TEST(View, RefusesArraysThatDoNotFitTogether) {
  const Page sparse = plain_page(drawn_rows(5, 3, 6), 3, false, true);
  const Page dense = plain_page(drawn_rows(5, 3, 6), 3, true, true);
  Batch batch = sparse.batch;
  batch.start = batch.start.first(5);
  EXPECT_THROW(view(batch, {}), Error);
  batch = sparse.batch;
  batch.column = batch.column.first(2);
  EXPECT_THROW(view(batch, {}), Error);
  batch = sparse.batch;
  batch.label = batch.label.first(4);
  EXPECT_THROW(view(batch, {}), Error);
  batch = dense.batch;
  batch.stride = 2;
  EXPECT_THROW(view(batch, {}), Error);
  batch = dense.batch;
  batch.rows = 6;
  EXPECT_THROW(view(batch, {}), Error);
}

}  // namespace
}  // namespace linsep

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "data/decorators.h"
#include "data/order_source.h"
#include "data/test_rows.h"
#include "linsep/error.h"
#include "linsep/read.h"
#include "map/feature_map.h"

namespace linsep {
namespace {

constexpr FeatureMap kProducts{FeatureMap::Kind::kProducts, 1};
constexpr FeatureMap kCubic{FeatureMap::Kind::kPolynomial, 3};

/// φ by its definition, with every monomial of the map multiplied out.
std::vector<PlainRow> oracle(const std::vector<PlainRow>& rows, std::uint32_t features, const FeatureMap& map) {
  std::vector<PlainRow> mapped;
  for (const PlainRow& row : rows) {
    std::vector<double> x(features, 0.0);
    for (const auto& [c, v] : row.entries) x[c] = v;
    PlainRow out{row.number, {}, row.label, row.weight};
    for (std::uint32_t j = 0; j < mapped_features(map, features); ++j) {
      double product = 1;
      for (const std::uint32_t c : monomial(map, features, j)) product *= x[c];
      if (product != 0) out.entries.emplace_back(j, product);
    }
    mapped.push_back(out);
  }
  return mapped;
}

TEST(MapSource, MapsEveryRowForEveryLayoutAndPageSize) {
  const auto rows = drawn_rows(60, 5, 1);
  for (const FeatureMap& map : {FeatureMap{}, kProducts, kCubic}) {
    const auto expected = oracle(rows, 5, map);
    for (const bool dense : {false, true}) {
      for (const bool is_float : {false, true}) {
        for (const std::size_t page_rows : {1U, 7U, 60U}) {
          MemorySource memory(plain_pages(rows, 5, page_rows, dense, is_float), {}, 0);
          const auto source = map_rows(memory, map);
          EXPECT_EQ(source->shape().features, mapped_features(map, 5));
          EXPECT_EQ(source->shape().rows, 60);
          EXPECT_EQ(rows_of_pass(*source, 0), expected);
          EXPECT_EQ(rows_of_pass(*source, 1), expected);
        }
      }
    }
  }
}

TEST(MapSource, CutsLargePagesIntoBatchesThatStayInCache) {
  const auto rows = drawn_rows(300, 40, 2);  // about 20 + 190 entries per row
  MemorySource memory(plain_pages(rows, 40, 300), {}, 0);
  const auto source = map_rows(memory, kProducts);
  std::int64_t batches = 0;
  std::int64_t next_row = 0;
  while (const auto batch = source->next()) {
    EXPECT_EQ(batch->first_row, next_row);
    next_row += batch->rows;
    ++batches;
    EXPECT_LT(batch->column.size(), 40000U);
  }
  EXPECT_GT(batches, 1);
  EXPECT_EQ(next_row, 300);
  EXPECT_EQ(rows_of_pass(*source, 0), oracle(rows, 40, kProducts));
}

TEST(MapSource, KeepsRowNumbersOfAShuffledSource) {
  const auto rows = drawn_rows(600, 4, 3);
  MemorySource memory(plain_pages(rows, 4, 100), {}, 0);
  const auto shuffled = order_rows(memory, RowOrder::kShuffled, 7);
  const auto expected = oracle(rows_of_pass(*shuffled, 2), 4, kProducts);
  const auto source = map_rows(*shuffled, kProducts);
  EXPECT_EQ(rows_of_pass(*source, 2), expected);
}

TEST(MapSource, TakesProductsOfFloatsInDouble) {
  const float third = 1.0F / 3.0F;
  const Page page = plain_page(std::vector<PlainRow>{{0, {{0, third}, {1, third}}, 1, 1}}, 2, false, true);
  MemorySource memory({page}, {}, 0);
  const auto source = map_rows(memory, kProducts);
  EXPECT_EQ(source->next()->value64[2], static_cast<double>(third) * static_cast<double>(third));
}

TEST(MapSource, RefusesAColumnThatAppearsAfterTheMapWasMade) {
  /// A stream of one row whose columns reach farther than its shape says.
  class Stream : public Source {
   public:
    Shape shape() const override { return {-1, 2, -1}; }
    const Schema& schema() const override { return schema_; }
    void rewind(std::uint64_t /*pass*/) override {}
    std::optional<Batch> next() override { return page_.batch; }
    std::vector<WrittenRow> written(std::span<const std::int64_t> /*rows*/) override { return {}; }

   private:
    Schema schema_;
    Page page_ = plain_page(std::vector<PlainRow>{{4, {{2, 1.0}}, 1, 1}}, 3, false, true);
  };
  Stream stream;
  const auto source = map_rows(stream, kProducts);
  try {
    source->next();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kInput);
    EXPECT_STREQ(error.what(), "row 5 has feature 3, but the map was made for 2 features");
  }
}

TEST(MapSource, RefusesAMapWithTooManyFeatures) {
  MemorySource memory(plain_pages(drawn_rows(1, 1, 1), 1, 1), {}, 100000);
  EXPECT_THROW(map_rows(memory, kProducts), Error);
}

TEST(MapSource, ReturnsWrittenRowsRaw) {
  const auto rows = drawn_rows(20, 5, 4);
  MemorySource memory(plain_pages(rows, 5, 6), {}, 0);
  const std::vector<std::int64_t> asked = {0, 7, 19};
  const auto written = map_rows(memory, kProducts)->written(asked);
  ASSERT_EQ(written.size(), asked.size());
  for (std::size_t k = 0; k < asked.size(); ++k) {
    const PlainRow& raw = rows[static_cast<std::size_t>(asked[k])];
    EXPECT_EQ(written[k].row, asked[k]);
    std::vector<std::pair<std::uint32_t, double>> entries;
    for (const WrittenValue& value : written[k].values) {
      EXPECT_EQ(value.decimal, "");
      if (value.binary != 0) entries.emplace_back(value.column, value.binary);
    }
    EXPECT_EQ(entries, raw.entries);
  }
}

std::vector<double> values_of(Source& source) {
  std::vector<double> all;
  source.rewind(0);
  while (const auto batch = source.next()) {
    for_each_row(*batch, [&](const auto& row, std::int64_t) {
      for_each_entry(row, [&](std::uint32_t, double value) { all.push_back(value); });
    });
  }
  return all;
}

TEST(ScaledSource, ColumnsAreMultipliedByTheirPowersOfTwo) {
  const std::vector<double> x = {1, 1.5e308, -3, 2, 1e307, 0.5}, y = {1, -1};
  Batch batch;
  batch.rows = 2;
  batch.features = 3;
  batch.dense = true;
  batch.is_float = false;
  batch.stride = 3;
  batch.value64 = x;
  batch.label = y;
  const auto rows = view(batch, {{"-1", "1"}, {}});
  const auto scaled = scale_columns(*rows, {1, 1024, 0});
  EXPECT_EQ(values_of(*scaled),
            (std::vector<double>{0.5, std::ldexp(1.5e308, -1024), -3, 1, std::ldexp(1e307, -1024), 0.5}));
  EXPECT_EQ(scaled->shape().features, 3U);
  const std::int64_t first = 0;
  EXPECT_EQ(scaled->written(std::span(&first, 1))[0].values[1].binary, 1.5e308);
}

TEST(ScaledSource, SparseRowsOfFloatsBecomeDoubles) {
  const std::vector<std::uint64_t> start = {0, 1, 3};
  const std::vector<std::uint32_t> column = {1, 0, 1};
  const std::vector<float> value = {4, 5, 6};
  const std::vector<double> y = {1, -1};
  Batch batch;
  batch.rows = 2;
  batch.features = 2;
  batch.start = start;
  batch.column = column;
  batch.value32 = value;
  batch.label = y;
  const auto rows = view(batch, {{"-1", "1"}, {}});
  EXPECT_EQ(values_of(*scale_columns(*rows, {0, 2})), (std::vector<double>{1, 5, 1.5}));
}

TEST(CopiedRows, AreThoseOfAPass) {
  const auto rows = drawn_rows(60, 5, 6);
  for (const bool dense : {false, true}) {
    for (const std::size_t page_rows : {1U, 7U, 60U}) {
      MemorySource memory(plain_pages(rows, 5, page_rows, dense), {}, 0);
      const auto copied = copy_into_memory(memory);
      EXPECT_EQ(copied->shape().features, 5U);
      EXPECT_EQ(rows_of_pass(*copied, 0), rows_of_pass(memory, 0));
      const std::int64_t last = 59;
      EXPECT_EQ(copied->written(std::span(&last, 1))[0].values.size(),
                memory.written(std::span(&last, 1))[0].values.size());
    }
  }
}

TEST(ConstantColumn, StandsBehindTheOthersInEveryLayout) {
  const auto rows = drawn_rows(60, 5, 6);
  std::vector<PlainRow> expected = rows;
  for (PlainRow& row : expected) row.entries.emplace_back(5, 0.5);
  for (const bool dense : {false, true}) {
    for (const bool is_float : {false, true}) {
      for (const std::size_t page_rows : {1U, 7U, 60U}) {
        MemorySource memory(plain_pages(rows, 5, page_rows, dense, is_float), {}, 0);
        const auto source = with_constant_column(memory, 0.5);
        EXPECT_EQ(source->shape().features, 6U);
        EXPECT_EQ(rows_of_pass(*source, 0), expected);
        EXPECT_EQ(rows_of_pass(*source, 1), expected);
        const std::int64_t last = 59;
        const WrittenRow written = source->written(std::span(&last, 1))[0];
        EXPECT_EQ(written.values.back().column, 5U);
        EXPECT_EQ(written.values.back().binary, 0.5);
      }
    }
  }
}

TEST(RowsOfAll, AnswersForTheRowsOfEveryShard) {
  const auto rows = drawn_rows(11, 3, 5);
  MemorySource alone(plain_pages(rows, 3, 4), {{"no", "yes"}, {}}, 3);
  const std::vector<std::int64_t> asked = {0, 3, 4, 9, 10};
  const auto expected = alone.written(asked);
  for (const int workers : {1, 2, 3, 16}) {
    run_threads(workers, [&](Comm& comm) {
      const auto place = [&](int rank) { return rows.begin() + 11 * rank / workers; };
      const std::vector<PlainRow> own(place(comm.rank()), place(comm.rank() + 1));
      MemorySource shard(plain_pages(own, 3, 2), {{"no", "yes"}, {}}, 3);
      RowsOfAll all(shard, comm);
      EXPECT_EQ(all.shape().rows, 11);
      EXPECT_EQ(all.shape().nonzeros, alone.shape().nonzeros);
      EXPECT_EQ(all.end_row() - all.first_row(), static_cast<std::int64_t>(own.size()));
      EXPECT_EQ(all.first_row(), 11 * comm.rank() / workers);
      const auto written = all.written(asked);
      ASSERT_EQ(written.size(), expected.size());
      for (std::size_t k = 0; k < written.size(); ++k) {
        EXPECT_EQ(written[k].row, expected[k].row);
        EXPECT_EQ(written[k].label, expected[k].label);
        ASSERT_EQ(written[k].values.size(), expected[k].values.size());
        for (std::size_t v = 0; v < written[k].values.size(); ++v) {
          EXPECT_EQ(written[k].values[v].column, expected[k].values[v].column);
          EXPECT_EQ(written[k].values[v].binary, expected[k].values[v].binary);
        }
      }
    });
  }
}

}  // namespace

}  // namespace linsep

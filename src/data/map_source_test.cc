#include "data/map_source.h"

#include <gtest/gtest.h>

#include "data/order_source.h"
#include "data/test_rows.h"
#include "linsep/error.h"
#include "map/feature_map.h"

namespace linsep {
namespace {

constexpr FeatureMap kProducts{FeatureMap::Kind::kProducts, 1};
constexpr FeatureMap kCubic{FeatureMap::Kind::kPolynomial, 3};

/// φ by the definition: every monomial of the map, multiplied out.
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

}  // namespace
}  // namespace linsep

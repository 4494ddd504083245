#include "data/scaled_source.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "linsep/read.h"

namespace linsep {
namespace {

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

}  // namespace
}  // namespace linsep

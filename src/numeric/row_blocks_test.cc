#include "numeric/row_blocks.h"

#include <gtest/gtest.h>

#include <numeric>

namespace linsep {
namespace {

constexpr std::int64_t kRows = 5000;
constexpr int kThreads = 3;

/// The numbers of the rows that each slot has seen, of batches of `size` rows.
std::vector<std::vector<std::int64_t>> rows_by_slot(std::int64_t size, bool pinned) {
  const std::vector<float> value(kRows, 1);
  RowBlocks blocks;
  constexpr double kEffort = 1e6;  // however small the rows, threads take part
  blocks.begin(kRows, kThreads, kEffort);
  std::vector<std::vector<std::int64_t>> seen(blocks.slots());
  const auto process = [&](const Batch& rows, std::size_t slot) {
    EXPECT_EQ(rows.value32.data(), value.data() + rows.first_row);
    for (std::int64_t i = 0; i < rows.rows; ++i) seen[slot].push_back(rows.number_of(i));
  };
  for (std::int64_t first = 0; first < kRows; first += size) {
    Batch batch;
    batch.first_row = first;
    batch.rows = std::min(size, kRows - first);
    batch.features = 1;
    batch.stride = 1;
    batch.dense = true;
    batch.pinned = pinned;
    batch.value32 = std::span(value).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(batch.rows));
    blocks.add(batch, process);
    const auto count = std::accumulate(seen.begin(), seen.end(), std::size_t{0},
                                       [](std::size_t sum, const auto& slot) { return sum + slot.size(); });
    if (!pinned) {
      EXPECT_EQ(count, static_cast<std::size_t>(first + batch.rows)) << "rows that have gone away are missing";
    }
  }
  blocks.finish(process);
  return seen;
}

TEST(RowBlocks, EachRowIsProcessedOnceAndEachSlotInOrder) {
  for (const std::int64_t size : {1, 2, 700, 5000}) {
    for (const bool pinned : {false, true}) {
      std::vector<std::int64_t> all;
      for (const auto& slot : rows_by_slot(size, pinned)) {
        EXPECT_TRUE(std::ranges::is_sorted(slot));
        all.insert(all.end(), slot.begin(), slot.end());
      }
      std::ranges::sort(all);
      std::vector<std::int64_t> expected(kRows);
      std::iota(expected.begin(), expected.end(), std::int64_t{0});
      EXPECT_EQ(all, expected) << size << (pinned ? " pinned" : "");
    }
  }
}

TEST(RowBlocks, SlotsShareRowsThatDontStay) {
  for (const auto& slot : rows_by_slot(700, false)) EXPECT_NEAR(static_cast<double>(slot.size()), kRows / 3.0, 8);
}

}  // namespace
}  // namespace linsep

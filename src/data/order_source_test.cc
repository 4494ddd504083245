#include "data/order_source.h"

#include <gtest/gtest.h>

#include <map>

#include "core/random.h"
#include "data/test_rows.h"

namespace linsep {
namespace {

/// The order of the header's definition, literally. Sorts every row by (hash of its page, hash of itself), or draws.
std::vector<std::int64_t> oracle_order(std::int64_t first, std::int64_t rows, RowOrder order, std::uint64_t seed,
                                       std::uint64_t pass) {
  const std::uint64_t key = keyed_hash(seed, pass);
  std::map<std::pair<std::uint64_t, std::int64_t>, std::vector<std::int64_t>> pages;
  for (std::int64_t r = first; r < first + rows; ++r) {
    const std::int64_t page = r / kPageRows;
    pages[{keyed_hash(key, static_cast<std::uint64_t>(page)), page}].push_back(r);
  }
  std::vector<std::int64_t> all;
  for (const auto& [place, members] : pages) {
    if (order == RowOrder::kDrawn) {
      Random random(key, static_cast<std::uint64_t>(place.second));
      for (std::size_t k = 0; k < members.size(); ++k) all.push_back(members[random.below(members.size())]);
    } else {
      std::map<std::uint64_t, std::int64_t> sorted;
      for (const std::int64_t r : members) sorted[keyed_hash(key, static_cast<std::uint64_t>(r))] = r;
      for (const auto& [hash, r] : sorted) all.push_back(r);
    }
  }
  return all;
}

std::vector<PlainRow> oracle_rows(const std::vector<PlainRow>& rows, RowOrder order, std::uint64_t seed,
                                  std::uint64_t pass) {
  std::vector<PlainRow> all;
  const std::int64_t first = rows.empty() ? 0 : rows.front().number;
  for (const std::int64_t r : oracle_order(first, static_cast<std::int64_t>(rows.size()), order, seed, pass)) {
    all.push_back(rows[static_cast<std::size_t>(r - first)]);
  }
  return all;
}

TEST(OrderSource, FollowsTheStatedOrderForEveryLayoutAndPageSize) {
  const auto rows = drawn_rows(700, 3, 1);
  for (const RowOrder order : {RowOrder::kShuffled, RowOrder::kDrawn}) {
    for (const bool dense : {false, true}) {
      for (const bool is_float : {false, true}) {
        for (const std::size_t page_rows : {7U, 256U, 1000U}) {
          MemorySource memory(plain_pages(rows, 3, page_rows, dense, is_float), {}, 0);
          const auto source = order_rows(memory, order, 42);
          for (const std::uint64_t pass : {0U, 1U, 0U}) {
            EXPECT_EQ(rows_of_pass(*source, pass), oracle_rows(rows, order, 42, pass));
          }
        }
      }
    }
  }
}

TEST(OrderSource, ShufflesPagesAndRowsWithinThem) {
  auto rows = drawn_rows(3 * kPageRows, 1, 2);
  for (PlainRow& row : rows) row.number += kPageRows / 2;  // a shard that begins in the middle of a logical page
  MemorySource memory(plain_pages(rows, 1, 1000), {}, 0);
  for (const RowOrder order : {RowOrder::kShuffled, RowOrder::kDrawn}) {
    const auto source = order_rows(memory, order, 3);
    EXPECT_TRUE(rows_of_pass(*source, 5) == oracle_rows(rows, order, 3, 5));
  }
}

TEST(OrderSource, ShuffledVisitsEveryRowOnce) {
  const auto rows = drawn_rows(1000, 2, 3);
  MemorySource memory(plain_pages(rows, 2, 300), {}, 0);
  const auto source = order_rows(memory, RowOrder::kShuffled, 1);
  auto visited = rows_of_pass(*source, 0);
  EXPECT_NE(visited, rows);
  EXPECT_NE(visited, rows_of_pass(*source, 1));
  std::sort(visited.begin(), visited.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  EXPECT_EQ(visited, rows);
}

TEST(OrderSource, BatchesHoldAtMost256RowsAndCountThePass) {
  MemorySource memory(plain_pages(drawn_rows(600, 2, 4), 2, 100), {}, 0);
  const auto source = order_rows(memory, RowOrder::kShuffled, 1);
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> firsts;
  while (const auto batch = source->next()) {
    sizes.push_back(batch->rows);
    firsts.push_back(batch->first_row);
    EXPECT_EQ(batch->row_number.size(), static_cast<std::size_t>(batch->rows));
  }
  EXPECT_EQ(sizes, (std::vector<std::int64_t>{256, 256, 88}));
  EXPECT_EQ(firsts, (std::vector<std::int64_t>{0, 256, 512}));
}

TEST(OrderSource, GivenHandsTheBatchesThrough) {
  const auto rows = drawn_rows(20, 2, 5);
  MemorySource memory(plain_pages(rows, 2, 6), {}, 0);
  const auto source = order_rows(memory, RowOrder::kGiven, 1);
  EXPECT_EQ(rows_of_pass(*source, 3), rows);
  source->rewind(0);
  EXPECT_EQ(source->next()->value32.data(), memory.pages().front().batch.value32.data());
}

TEST(OrderSource, WithoutRowsEndsAtOnce) {
  MemorySource memory({}, {}, 0);
  for (const RowOrder order : {RowOrder::kGiven, RowOrder::kShuffled, RowOrder::kDrawn}) {
    EXPECT_FALSE(order_rows(memory, order, 1)->next().has_value());
  }
}

TEST(OrderSource, AnswersWrittenRowsByTheirNumber) {
  MemorySource memory(plain_pages({{0, {{0, 1.0}}, -1, 1}, {1, {{0, 2.0}}, 1, 1}}, 1, 2), {}, 0);
  const auto source = order_rows(memory, RowOrder::kShuffled, 9);
  const std::vector<std::int64_t> asked = {1};
  EXPECT_EQ(source->written(asked).front().values.front().binary, 2.0);
}

TEST(HashOrder, IsThatOfHashesWithTheSmallerNumberFirst) {
  for (const std::int64_t rows : {0, 1, 2, 3, 4, 5, 100, 1000, 70000}) {
    std::vector<std::int64_t> numbers;
    std::vector<std::pair<std::uint64_t, std::int64_t>> hashed;
    for (std::int64_t n = rows; n-- > 0;) {
      numbers.push_back(n / 2);  // the same number twice, so the same hash
      hashed.emplace_back(keyed_hash(9, static_cast<std::uint64_t>(n / 2)), n / 2);
    }
    sort_by_hash(9, numbers);
    std::sort(hashed.begin(), hashed.end());
    ASSERT_EQ(numbers.size(), hashed.size());
    for (std::size_t k = 0; k < numbers.size(); ++k) ASSERT_EQ(numbers[k], hashed[k].second) << rows << " rows, " << k;
  }
}

}  // namespace
}  // namespace linsep

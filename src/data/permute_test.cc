#include "data/permute.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/random.h"
#include "data/test_rows.h"

namespace linsep {
namespace {

/// The header's definition, literally.
std::vector<PlainRow> oracle(const std::vector<PlainRow>& rows, std::uint64_t seed, std::uint64_t pass) {
  std::vector<PlainRow> placed = rows;
  std::sort(placed.begin(), placed.end(), [&](const PlainRow& a, const PlainRow& b) {
    return keyed_hash(seed, static_cast<std::uint64_t>(a.number)) <
           keyed_hash(seed, static_cast<std::uint64_t>(b.number));
  });
  const std::size_t groups = (rows.size() + kGroupRows - 1) / kGroupRows;
  Random random(seed, pass + 1);
  const auto shuffle = [&](std::vector<std::size_t>& order) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  };
  std::vector<std::size_t> sheets((groups + kSheetGroups - 1) / kSheetGroups), visited_groups;
  std::iota(sheets.begin(), sheets.end(), std::size_t{0});
  if (sheets.size() > kWindowSheets) shuffle(sheets);
  for (std::size_t s = 0; s < sheets.size(); s += kWindowSheets) {
    std::vector<std::size_t> window;
    for (std::size_t k = s; k < std::min(s + kWindowSheets, sheets.size()); ++k) {
      for (std::size_t g = 0; g < kSheetGroups && sheets[k] * kSheetGroups + g < groups; ++g) {
        window.push_back(sheets[k] * kSheetGroups + g);
      }
    }
    shuffle(window);
    visited_groups.insert(visited_groups.end(), window.begin(), window.end());
  }
  std::vector<PlainRow> visited;
  for (const std::size_t g : visited_groups) {
    for (std::size_t k = g * kGroupRows; k < std::min(rows.size(), (g + 1) * kGroupRows); ++k) {
      visited.push_back(placed[k]);
    }
  }
  return visited;
}

TEST(PermutedSource, FollowsTheStatedOrderForEveryLayoutPageSizeAndNumberOfThreads) {
  const auto rows = drawn_rows(9001, 5, 3);  // more than one bucket
  for (const bool dense : {false, true}) {
    for (const bool is_float : {false, true}) {
      for (const std::size_t page_rows : {7U, 300U, 10000U}) {
        for (const int threads : {1, 2, 4}) {
          MemorySource memory(plain_pages(rows, 5, page_rows, dense, is_float), {}, 0);
          const auto source = permute_rows(memory, 42, threads);
          for (const std::uint64_t pass : {0U, 1U, 0U}) ASSERT_EQ(rows_of_pass(*source, pass), oracle(rows, 42, pass));
        }
      }
    }
  }
}

TEST(PermutedSource, RowsThatStayWhereTheyAreComeInTheSameOrder) {
  const auto rows = drawn_rows(3001, 5, 3);
  for (const bool dense : {false, true}) {
    for (const bool is_float : {false, true}) {
      for (const std::size_t page_rows : {7U, 10000U}) {
        MemorySource memory(plain_pages(rows, 5, page_rows, dense, is_float), {}, 0);
        const auto source = index_rows(memory, 42);
        for (const std::uint64_t pass : {0U, 1U, 0U}) ASSERT_EQ(rows_of_pass(*source, pass), oracle(rows, 42, pass));
        memory.rewind(0);
        source->rewind(0);
        const Batch first = *source->next(), page = *memory.next();
        if (page_rows > rows.size() && !dense) {
          EXPECT_EQ(first.column.data(), page.column.data());
        }
      }
    }
  }
}

TEST(PermutedSource, TakesThePagesAndShowsTheSameRows) {
  const auto rows = drawn_rows(5000, 4, 8);
  for (const bool dense : {false, true}) {
    MemorySource memory(plain_pages(rows, 4, 100, dense), {{"no", "yes"}, {}}, 0);
    const auto source = permute_and_take_rows(memory, 7, 2);
    EXPECT_TRUE(memory.pages().empty());
    EXPECT_EQ(source->shape().rows, 5000);
    EXPECT_EQ(source->schema().classes.at(1), "yes");
    EXPECT_EQ(rows_of_pass(*source, 3), oracle(rows, 7, 3));
  }
}

TEST(PermutedSource, GroupsStayWhereTheyAre) {
  const auto rows = drawn_rows(100, 3, 1);
  MemorySource memory(plain_pages(rows, 3, 9), {}, 0);
  const auto source = permute_rows(memory, 1);
  std::vector<std::int64_t> number(100, -1);
  for (const std::uint64_t pass : {0U, 1U, 5U}) {
    source->rewind(pass);
    while (const auto batch = source->next()) {
      EXPECT_TRUE(batch->pinned);
      EXPECT_EQ(batch->first_row % static_cast<std::int64_t>(kGroupRows), 0);
      for (std::int64_t i = 0; i < batch->rows; ++i) {
        std::int64_t& seen = number[static_cast<std::size_t>(batch->first_row + i)];
        if (seen >= 0) {
          EXPECT_EQ(seen, batch->number_of(i));
        }
        seen = batch->number_of(i);
      }
    }
  }
}

TEST(PermutedSource, ServesNoRowsAndFewRows) {
  for (const std::int64_t count : {0, 1, 16, 17}) {
    const auto rows = drawn_rows(count, 2, 5);
    MemorySource memory(plain_pages(rows, 2, 4), {}, 2);
    const auto source = permute_rows(memory, 9);
    EXPECT_EQ(source->shape().rows, count);
    EXPECT_EQ(rows_of_pass(*source, 0), oracle(rows, 9, 0));
  }
}

TEST(PermutedSource, SaysRowsAsTheyWereWrittenByTheirOwnNumbers) {
  const auto rows = drawn_rows(50, 3, 2);
  MemorySource memory(plain_pages(rows, 3, 50), {{"-1", "1"}, {}}, 0);
  const auto source = permute_rows(memory, 1);
  const std::vector<std::int64_t> wanted = {17};
  const auto written = source->written(wanted);
  ASSERT_EQ(written.size(), 1U);
  EXPECT_EQ(written[0].row, 17);
}

}  // namespace
}  // namespace linsep

#include "data/rows_of_all.h"

#include <gtest/gtest.h>

#include "data/test_rows.h"

namespace linsep {
namespace {

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

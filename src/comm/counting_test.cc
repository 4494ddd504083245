#include "comm/counting.h"

#include <gtest/gtest.h>

namespace linsep {
namespace {

TEST(Counting, CountsCallsAndNumbersAndPassesThemOn) {
  run_threads(3, [](Comm& comm) {
    CountingComm counting(comm);
    EXPECT_EQ(counting.size(), 3);
    EXPECT_EQ(counting.rank(), comm.rank());
    std::vector<double> doubles(5, 1.0);
    counting.all_reduce(doubles, Comm::Op::kSum);
    EXPECT_EQ(doubles[4], 3.0);
    std::vector<std::int64_t> words(7, 2);
    counting.all_reduce(words, Comm::Op::kSum);
    EXPECT_EQ(words[6], 6);
    const std::vector<std::byte> mine(static_cast<std::size_t>(comm.rank()) + 1);
    EXPECT_EQ(counting.all_gather(mine)[2].size(), 3U);
    EXPECT_EQ(counting.exchanged().rounds, 3);
    EXPECT_EQ(counting.exchanged().doubles_reduced, 5);
    EXPECT_EQ(counting.exchanged().words_reduced, 7);
    EXPECT_EQ(counting.exchanged().bytes_gathered, comm.rank() + 1);
  });
}

}  // namespace
}  // namespace linsep

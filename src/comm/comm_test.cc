#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "linsep/comm.h"
#include "linsep/error.h"

namespace linsep {
namespace {

TEST(Solo, IsItsOwnSum) {
  const auto comm = solo();
  std::vector<double> data = {1, 2};
  comm->all_reduce(data, Comm::Op::kSum);
  EXPECT_EQ(data, (std::vector<double>{1, 2}));
  EXPECT_EQ(comm->size(), 1);
}

TEST(Threads, EveryWorkerGetsTheSum) {
  for (int workers = 1; workers <= 5; ++workers) {
    std::atomic<int> right = 0;
    run_threads(workers, [&](Comm& comm) {
      for (int round = 0; round < 100; ++round) {
        std::vector<double> data = {comm.rank() + 1.0, 0.1 * comm.rank()};
        comm.all_reduce(data, Comm::Op::kSum);
        std::vector<std::int64_t> bits = {std::int64_t{1} << comm.rank()}, most = {comm.rank()};
        comm.all_reduce(bits, Comm::Op::kOr);
        comm.all_reduce(most, Comm::Op::kMax);
        if (data[0] == workers * (workers + 1) / 2.0 && bits[0] == (std::int64_t{1} << workers) - 1 &&
            most[0] == workers - 1) {
          ++right;
        }
      }
    });
    EXPECT_EQ(right, workers * 100);
  }
}

TEST(Threads, GatherBytesOfDifferentLengthsByRank) {
  run_threads(4, [](Comm& comm) {
    const std::vector<std::byte> mine(static_cast<std::size_t>(comm.rank()), std::byte{7});
    const auto all = comm.all_gather(mine);
    for (std::size_t rank = 0; rank < 4; ++rank) EXPECT_EQ(all[rank].size(), rank);
  });
}

TEST(Threads, AWorkerThatFailsEndsTheOthers) {
  const auto failing = [](Comm& comm) {
    if (comm.rank() == 2) throw input_error("a bad shard");
    std::vector<double> data(3);
    comm.all_reduce(data, Comm::Op::kSum);
  };
  try {
    run_threads(4, failing);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "a bad shard");
  }
}

TEST(Threads, AbortReachesWorkersThatWait) {
  EXPECT_THROW(run_threads(3,
                           [](Comm& comm) {
                             if (comm.rank() == 0) comm.abort("enough");
                             std::vector<double> data(1);
                             comm.all_reduce(data, Comm::Op::kSum);
                           }),
               Error);
}

TEST(Threads, LengthsThatDifferAreAnErrorNotAHang) {
  EXPECT_THROW(run_threads(2,
                           [](Comm& comm) {
                             std::vector<double> data(static_cast<std::size_t>(comm.rank()) + 1);
                             comm.all_reduce(data, Comm::Op::kSum);
                           }),
               Error);
}

TEST(ShardTotals, TheErrorOfTheLowestRankIsThatOfAll) {
  std::vector<std::string> heard(4);
  run_threads(4, [&](Comm& comm) {
    const int rank = comm.rank();
    try {
      rethrow_on_all(comm, [&] {
        if (rank == 3) throw usage_error("later");
        if (rank == 1) throw Error(Place{"a.svm", 7, 3}, "a bad number");
      });
    } catch (const Error& error) {
      heard[static_cast<std::size_t>(rank)] = error.what();
      EXPECT_EQ(error.kind(), Error::Kind::kInput);
      EXPECT_EQ(error.place().line, 7U);
      EXPECT_EQ(error.place().file, "a.svm");
    }
    EXPECT_NO_THROW(rethrow_on_all(comm, [] {})) << "the workers can continue";
  });
  for (const std::string& message : heard) EXPECT_EQ(message, "a.svm:7:3: a bad number");
}

TEST(ShardTotals, KindsAreKept) {
  run_threads(2, [&](Comm& comm) {
    for (const Error& thrown : {usage_error("u"), input_error("i"), system_error("s"), interrupted_error()}) {
      try {
        rethrow_on_all(comm, [&] {
          if (comm.rank() == 1) throw Error(thrown);
        });
        ADD_FAILURE();
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), thrown.kind());
        EXPECT_STREQ(error.what(), thrown.what());
      }
    }
  });
}

TEST(ShardTotals, OptionsAreKept) {
  run_threads(2, [&](Comm& comm) {
    try {
      rethrow_on_all(comm, [&] {
        if (comm.rank() == 1) throw options_error({"a", "b"}, "{} excludes {}");
      });
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.options(), (std::vector<std::string>{"a", "b"}));
      EXPECT_EQ(error.spelled("--", ""), "--a excludes --b");
    }
  });
}

TEST(ShardTotals, BytesOfEachReachEveryone) {
  run_threads(3, [](Comm& comm) {
    const std::string mine(static_cast<std::size_t>(comm.rank()), 'x');
    EXPECT_EQ(gather_text(comm, mine), (std::vector<std::string>{"", "x", "xx"}));
  });
}

}  // namespace

}  // namespace linsep

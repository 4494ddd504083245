#include "linsep/comm.h"

#include <gtest/gtest.h>

#include "linsep/error.h"

namespace linsep {
namespace {

TEST(Together, TheErrorOfTheLowestRankIsThatOfAll) {
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

TEST(Together, KindsAreKept) {
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

TEST(Together, OptionsAreKept) {
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

TEST(Together, BytesOfEachReachEveryone) {
  run_threads(3, [](Comm& comm) {
    const std::string mine(static_cast<std::size_t>(comm.rank()), 'x');
    EXPECT_EQ(gather_text(comm, mine), (std::vector<std::string>{"", "x", "xx"}));
  });
}

}  // namespace
}  // namespace linsep

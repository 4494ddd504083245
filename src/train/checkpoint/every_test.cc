#include <gtest/gtest.h>

#include <utility>

#include "linsep/checkpoint.h"
#include "linsep/error.h"

namespace linsep {
namespace {

TEST(Every, IsATimeOrANumberOfPasses) {
  const auto read = [](const char* text) {
    Checkpoint checkpoint;
    set_every(checkpoint, text);
    return std::pair(checkpoint.every_seconds, checkpoint.every_passes);
  };
  using Pair = std::pair<double, std::int64_t>;
  EXPECT_EQ(read("60s"), Pair(60, 0));
  EXPECT_EQ(read("0.5s"), Pair(0.5, 0));
  EXPECT_EQ(read("5m"), Pair(300, 0));
  EXPECT_EQ(read("1.5 h"), Pair(5400, 0));
  EXPECT_EQ(read("2 minutes"), Pair(120, 0));
  EXPECT_EQ(read("10"), Pair(0, 10));
  EXPECT_EQ(read(" 10 passes "), Pair(0, 10));
  EXPECT_EQ(read("1 pass"), Pair(0, 1));
  for (const char* text : {"", "s", "0", "0s", "-1", "-5s", "1.5", "1.5 passes", "5 days", "nan", "inf s", "1e30"}) {
    Checkpoint checkpoint;
    try {
      set_every(checkpoint, text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::kUsage);
      EXPECT_EQ(error.what(),
                std::string("'every' ") + text + ": expected a time like 60s, 5m or 1h, or a number of passes like 10");
    }
  }
}

}  // namespace
}  // namespace linsep

#include "core/poll.h"

#include <gtest/gtest.h>

namespace linsep {
namespace {

constexpr std::size_t kMuch = std::size_t{1} << 30;

TEST(Poll, WithoutAScopeNothingIsAsked) { EXPECT_NO_THROW(poll(kMuch)); }

TEST(Poll, AsksOnceInAWhileAndLeavesTheWork) {
  int asked = 0;
  const StopFunction second = [&] { return ++asked == 2; };
  int done = 0;
  EXPECT_FALSE(unless_stopped(second, [&] {
    for (; done < 1'000'000; ++done) poll(1000);
  }));
  EXPECT_EQ(asked, 2);
  EXPECT_GT(done, 2);
  EXPECT_LT(done, 1000) << "a question for each tenth of a millisecond or so";
}

TEST(Poll, LittleWorkIsNeverStopped) {
  EXPECT_TRUE(unless_stopped([] { return true; }, [] { poll(1000); }));
}

TEST(Poll, TheInnermostScopeCounts) {
  const StopFunction always = [] { return true; };
  EXPECT_TRUE(unless_stopped(always, [] { unless_stopped({}, [] { poll(kMuch); }); }));
  EXPECT_FALSE(unless_stopped(always, [] {
    unless_stopped({}, [] {});
    poll(kMuch);
  })) << "the outer one counts again";
}

}  // namespace
}  // namespace linsep

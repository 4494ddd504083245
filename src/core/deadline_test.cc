#include "core/deadline.h"

#include <gtest/gtest.h>

namespace linsep {
namespace {

constexpr std::size_t kMuch = std::size_t{1} << 30;

TEST(Deadline, AnEmptyOneNeverExpires) {
  EXPECT_FALSE(Deadline());
  EXPECT_FALSE(Deadline(StopFunction()));
  EXPECT_FALSE(Deadline().expired());
  EXPECT_NO_THROW(poll(kMuch)) << "there is none";
}

TEST(Deadline, OfARunExpiresWithItsTimeAndGraceComesOnTop) {
  double now = 5;
  RunLimits limits;
  limits.time_limit = 2;
  limits.clock = [&] { return now; };
  const Deadline deadline(limits);
  now = 6.9;
  EXPECT_FALSE(deadline.expired());
  now = 7.1;
  EXPECT_TRUE(deadline.expired());
  EXPECT_FALSE(deadline.expired_by(0.2));
  EXPECT_FALSE(deadline.extended(0.2).expired());
  now = 7.3;
  EXPECT_TRUE(deadline.expired_by(0.2));
  EXPECT_TRUE(deadline.extended(0.2).expired());
}

TEST(Deadline, AnInterruptExpiresItFromWhenItIsNoticed) {
  double now = 5;
  std::atomic<bool> interrupt = false;
  RunLimits limits;
  limits.interrupt = &interrupt;
  const Deadline without_clock(limits);
  limits.clock = [&] { return now; };
  const Deadline deadline(limits);
  EXPECT_FALSE(deadline.expired());
  interrupt = true;
  EXPECT_TRUE(deadline.expired());
  EXPECT_FALSE(deadline.expired_by(0.2));
  now = 5.3;
  EXPECT_TRUE(deadline.expired_by(0.2));
  EXPECT_TRUE(without_clock.expired());
  EXPECT_FALSE(without_clock.expired_by(0.2)) << "nobody knows when it was";
}

TEST(Deadline, WorkAsksOnceInAWhileAndIsLeft) {
  int asked = 0;
  Deadline second([&] { return ++asked == 2; });
  int done = 0;
  EXPECT_FALSE(second.run([&] {
    for (; done < 1'000'000; ++done) poll(1000);
  }));
  EXPECT_EQ(asked, 2);
  EXPECT_GT(done, 2);
  EXPECT_LT(done, 1000) << "a question for each tenth of a millisecond or so";
  EXPECT_TRUE(second.cut_off());
  EXPECT_FALSE(second.run([&] { done = 0; })) << "nothing is done after work that was cut off";
  EXPECT_GT(done, 2);
}

TEST(Deadline, LittleWorkIsNeverStopped) {
  EXPECT_TRUE(Deadline([] { return true; }).run([] { poll(1000); }));
}

TEST(Deadline, TheInnermostCounts) {
  EXPECT_TRUE(Deadline([] { return true; }).run([] { Deadline().run([] { poll(kMuch); }); }));
  EXPECT_FALSE(Deadline([] { return true; }).run([] {
    Deadline().run([] {});
    poll(kMuch);
  })) << "the outer one counts again";
}

TEST(Interruptible, AnInterruptIsAnError) {
  std::atomic<bool> interrupt = false;
  EXPECT_NO_THROW(interruptible(&interrupt, [] { poll_now(); }));
  EXPECT_EQ(interruptible(nullptr, [] { return 3; }), 3);
  interrupt = true;
  EXPECT_THROW(interruptible(&interrupt, [] { poll_now(); }), Error);
  EXPECT_THROW(interruptible(&interrupt, [] { poll(kMuch); }), Error);
  EXPECT_NO_THROW(poll_now()) << "only within it";
}

TEST(Interruptible, TheDeadlineAroundItIsPolledToo) {
  const std::atomic<bool> interrupt = false;
  EXPECT_FALSE(Deadline([] { return true; }).run([&] { interruptible(&interrupt, [] { poll_now(); }); }));
  EXPECT_FALSE(Deadline([] { return true; }).run([&] { interruptible(nullptr, [] { poll_now(); }); }));
}

}  // namespace
}  // namespace linsep

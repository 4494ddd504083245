#include "train/loop.h"

#include <gtest/gtest.h>

#include <optional>

namespace linsep {
namespace {

class PassTimerTest : public ::testing::Test {
 protected:
  PassTimerTest() {
    options_.clock = [this] { return now_; };
    options_.time_limit = 10;
    timer_.emplace(options_, 0);
  }
  void pass(double seconds) {
    ++at_.pass;
    timer_->begin_pass();
    now_ += seconds;
    timer_->end_pass(at_);
  }
  /// In the middle of a pass that has taken this many seconds for this many of 100 rows.
  bool time_to_finish(double seconds, std::int64_t rows) {
    timer_->begin_pass();
    now_ += seconds;
    Progress progress;
    progress.rows = rows;
    progress.rows_in_all = 100;
    return timer_->time_to_finish(progress);
  }

  double now_ = 0;
  TrainOptions options_;
  Progress at_;
  std::optional<PassTimer> timer_;
};

TEST_F(PassTimerTest, APassThatIsHeldUpAtItsBeginningEndsNoRun) {
  for (int k = 0; k < 10; ++k) pass(0.1);
  EXPECT_FALSE(time_to_finish(0.09, 1)) << "nine seconds by its share, and a tenth of a second by those before";
  EXPECT_FALSE(time_to_finish(0.5, 1));
}

TEST_F(PassTimerTest, APassThatWasHeldUpIsForgotten) {
  pass(0.1);
  pass(2.5);
  for (int k = 0; k < 200; ++k) pass(0.01);
  EXPECT_LT(now_, 5);
  now_ = 9;
  EXPECT_FALSE(time_to_finish(0.001, 50));
  now_ = 9.96;
  EXPECT_TRUE(time_to_finish(0.001, 50)) << "three passes take what is left";
}

TEST_F(PassTimerTest, APassThatTakesLongerThanThoseBeforeIsNoticed) {
  for (int k = 0; k < 10; ++k) pass(0.1);
  now_ = 5;
  EXPECT_FALSE(time_to_finish(0.05, 50));
  EXPECT_TRUE(time_to_finish(1, 25)) << "four seconds for all of it, and two more passes";
}

}  // namespace
}  // namespace linsep

#include "core/parallel.h"

#include <gtest/gtest.h>
#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <atomic>
#include <chrono>
#include <future>
#include <latch>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/deadline.h"
#include "linsep/error.h"
#include "os/aside.h"

namespace linsep {
namespace {

constexpr double kLong = 1e9;
#if defined(__SANITIZE_THREAD__) || defined(_WIN32)
constexpr bool kForks = false;  // the sanitizer refuses to start threads in a forked process
#else
constexpr bool kForks = true;
#endif

void sleep_for(int microseconds) { std::this_thread::sleep_for(std::chrono::microseconds(microseconds)); }

/// The indices taken by each worker, slowly enough for threads to come.
std::vector<int> taken(std::size_t count, int threads, double nanoseconds) {
  std::vector<std::atomic<int>> by(static_cast<std::size_t>(threads));
  parallel_for(count, threads, nanoseconds, [&](std::size_t, std::size_t worker) {
    ++by[worker];
    sleep_for(200);
  });
  return {by.begin(), by.end()};
}

/// Whether `holds` returns true in a forked process, before 20 seconds have passed.
template <class F>
bool holds_when_forked([[maybe_unused]] const F& holds) {
#ifdef _WIN32
  return false;
#else
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(holds() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
#endif
}

TEST(Parallel, EveryIndexIsTakenOnceAndWorkersAreBelowThreads) {
  std::vector<std::atomic<int>> times(1000);
  parallel_for(times.size(), 3, kLong, [&](std::size_t index, std::size_t worker) {
    ASSERT_LT(worker, 3U);
    ++times[index];
  });
  for (const auto& one : times) EXPECT_EQ(one, 1);
}

TEST(Parallel, ThreadsAreStartedOnceForAllCalls) {
  for (int k = 0; k < 1000; ++k) parallel_for(8, 3, kLong, [](std::size_t, std::size_t) {});
  EXPECT_LE(threads_started(), 2U);
}

TEST(Parallel, ShortWorkStaysWithItsCaller) {
  if (!kForks) GTEST_SKIP();
  ASSERT_TRUE(holds_when_forked([] {
    const std::thread::id caller = std::this_thread::get_id();
    bool own = true;
    for (int k = 0; k < 1000; ++k) {
      parallel_for(100, 8, 1.9 * kLeastNanoseconds,
                   [&](std::size_t, std::size_t) { own = own && std::this_thread::get_id() == caller; });
    }
    return own && threads_started() == 0;
  }));
}

TEST(Parallel, AsManyThreadsAsTheWorkIsWorth) {
  if (!kForks) GTEST_SKIP();
  ASSERT_TRUE(holds_when_forked([] {
    taken(100, 8, 3.5 * kLeastNanoseconds);
    return threads_started() == 2;
  }));
}

TEST(Parallel, TheFirstExceptionStopsTheLoopAndComesToTheCaller) {
  std::atomic<int> done = 0;
  EXPECT_THROW(parallel_for(100000, 2, kLong,
                            [&](std::size_t index, std::size_t) {
                              if (index == 10) throw std::runtime_error("enough");
                              ++done;
                              sleep_for(10);
                            }),
               std::runtime_error);
  EXPECT_LT(done, 50000);
  const std::vector<int> by = taken(10, 2, kLong);  // the next loop isn't stopped
  EXPECT_EQ(by[0] + by[1], 10);
}

TEST(Parallel, LoopsWithinLoopsAndFromSeveralThreads) {
  std::atomic<int> sum = 0;
  const auto nested = [&] {
    parallel_for(20, 3, kLong, [&](std::size_t, std::size_t) {
      parallel_for(20, 3, kLong, [&](std::size_t, std::size_t) { ++sum; });
    });
  };
  std::thread other(nested);
  nested();
  other.join();
  EXPECT_EQ(sum, 800);
}

TEST(Parallel, AForkedProcessHasThreadsOfItsOwn) {
  if (!kForks) GTEST_SKIP();
  taken(20, 2, kLong);  // the parent has a thread, which waits for work
  EXPECT_TRUE(holds_when_forked([] {
    const bool none = threads_started() == 0;
    const std::vector<int> by = taken(200, 2, kLong);
    return none && by[0] + by[1] == 200 && by[1] > 0 && threads_started() == 1;
  }));
}

TEST(Parallel, AForkInTheMidstOfWorkHangsNeitherSide) {
  if (!kForks) GTEST_SKIP();
  std::atomic<bool> ended = false;
  std::thread busy([&] {
    while (!ended) taken(20, 2, kLong);
  });
  for (int k = 0; k < 20; ++k) {
    EXPECT_TRUE(holds_when_forked([] { return taken(20, 2, kLong)[0] > 0; }));
  }
  ended = true;
  busy.join();
}

TEST(Parallel, EveryThreadPollsWhatItsCallerPolls) {
  const std::atomic<bool> interrupt = true;
  std::atomic<int> left = 0;
  const auto polling = [&](std::size_t, std::size_t) {
    sleep_for(200);
    try {
      poll_now();
    } catch (const Error&) {
      ++left;
    }
  };
  interruptible(&interrupt, [&] { parallel_for(100, 3, kLong, polling); });
  EXPECT_EQ(left, 100);
}

TEST(Aside, CallsOneAfterAnotherShareOneThread) {
  if (!kForks) GTEST_SKIP();
  ASSERT_TRUE(holds_when_forked([] {
    int done = 0;
    for (int k = 0; k < 1000; ++k) start_aside([&] { ++done; }).get();
    return done == 1000 && threads_started() == 1;
  }));
}

TEST(Aside, ItsLoopsHaveTheThreadsThatTheyAskFor) {
  if (!kForks) GTEST_SKIP();
  ASSERT_TRUE(holds_when_forked([] {
    int with_help = 0;
    for (int k = 0; k < 20; ++k) start_aside([&] { with_help += taken(50, 2, kLong)[1] > 0 ? 1 : 0; }).get();
    return with_help == 20 && threads_started() == 2;
  }));
}

TEST(Aside, EachOfSeveralAtOnceHasAThread) {
  std::latch all(3);
  std::vector<std::future<void>> ended;
  for (int k = 0; k < 3; ++k) ended.push_back(start_aside([&] { all.arrive_and_wait(); }));
  for (std::future<void>& one : ended) one.get();
}

TEST(Aside, ItHasAThreadWhileALoopKeepsTheOthers) {
  std::promise<void> enough;
  std::shared_future<void> until = enough.get_future();
  std::latch both(2);
  std::thread looping([&] {
    parallel_for(2, 2, kLong, [&](std::size_t, std::size_t) {
      both.arrive_and_wait();
      until.wait();
    });
  });
  both.wait();
  start_aside([] {}).get();
  enough.set_value();
  looping.join();
}

TEST(Aside, WhatItThrowsComesToItsCaller) {
  std::future<void> ended = start_aside([] { throw std::runtime_error("enough"); });
  EXPECT_THROW(ended.get(), std::runtime_error);
}

}  // namespace
}  // namespace linsep

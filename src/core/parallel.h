// parallel_for spreads a computation over threads. The threads themselves are in os/parallel.cc, which keeps them from
// one call to the next. A build without threads links a plain loop instead.
//
// Results must not depend on the number of threads. The callers see to that. An index stands for a fixed part of the
// work, writes only what belongs to that part, and parts are put together in the order of their indices afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace linsep {

/// How many threads to use when `wanted` are asked for. 0 asks for one per core.
int thread_count(int wanted);

/// Waking a thread costs some microseconds, so one that takes part has at least this much to do.
inline constexpr double kLeastNanoseconds = 1e5;

/// Calls `f(index, worker)` once for every index below `count`, on at most `threads` threads. `worker` (below
/// `threads`) identifies the thread, for scratch memory. Which worker takes which index is not fixed. The first
/// exception stops the loop and is rethrown here. All of them poll the caller's deadline (core/deadline.h).
///
/// `nanoseconds` is about how long all of it takes on one thread, estimated from sizes alone. Less than twice
/// kLeastNanoseconds is done by the caller. Beyond that, one more thread takes part for each kLeastNanoseconds.
void parallel_for(std::size_t count, int threads, double nanoseconds,
                  const std::function<void(std::size_t index, std::size_t worker)>& f);

/// The same for going once through this many rows with this many stored values.
template <class Rows, class Values>
constexpr double pass_nanoseconds(Rows rows, Values values) {
  return 20 * static_cast<double>(rows) + static_cast<double>(values);
}

/// Does long work of a library that can't poll, in a thread of its own. Returns when it is done, or throws what it
/// threw. If the caller's deadline (core/deadline.h) expires before that, throws Expired at once. The work then runs to
/// its end by itself, so it owns everything that it touches. Without a deadline, or in a build without threads, the
/// work is done at once.
void run_aside(std::function<void()> work);

/// How many threads were started in this process so far to work for others, for tests.
std::uint64_t threads_started();

}  // namespace linsep

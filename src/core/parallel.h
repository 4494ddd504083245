// parallel_for: the one place where a computation is spread over threads. Built without threads, it is a plain loop.
//
// Results must not depend on the number of threads. The callers see to that: an index stands for a fixed part of the
// work, writes only what belongs to that part, and parts are put together in the order of their indices afterwards.
#pragma once

#include <cstddef>

#if !defined(__EMSCRIPTEN__) || defined(__EMSCRIPTEN_PTHREADS__)
#define LINSEP_THREADS 1
#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>
#endif

namespace linsep {

#ifdef LINSEP_THREADS

/// How many threads to use when `wanted` are asked for; 0 asks for one a core.
inline int thread_count(int wanted) {
  return wanted > 0 ? wanted : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// Calls `f(index, worker)` once for every index below `count`, on at most `threads` threads; `worker` (below
/// `threads`) names the thread, for scratch memory. Which worker takes which index is not fixed. The first exception
/// ends the handing out of indices and is thrown again here.
template <class F>
void parallel_for(std::size_t count, int threads, F&& f) {
  const std::size_t workers = std::min(count, static_cast<std::size_t>(std::max(threads, 1)));
  if (workers <= 1) {
    for (std::size_t index = 0; index < count; ++index) f(index, std::size_t{0});
    return;
  }
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failing;
  const auto work = [&](std::size_t worker) {
    try {
      for (std::size_t index = next++; index < count; index = next++) f(index, worker);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(failing);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> others;
    others.reserve(workers - 1);
    for (std::size_t worker = 1; worker < workers; ++worker) others.emplace_back(work, worker);
    work(0);
  }
  if (failure) std::rethrow_exception(failure);
}

#else

inline int thread_count(int /*wanted*/) { return 1; }

template <class F>
void parallel_for(std::size_t count, int /*threads*/, F&& f) {
  for (std::size_t index = 0; index < count; ++index) f(index, std::size_t{0});
}

#endif

}  // namespace linsep

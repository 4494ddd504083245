// parallel_for: how a computation is spread over threads. The threads themselves are in os/parallel.cc; a build without
// threads links a plain loop instead.
//
// Results must not depend on the number of threads. The callers see to that: an index stands for a fixed part of the
// work, writes only what belongs to that part, and parts are put together in the order of their indices afterwards.
#pragma once

#include <cstddef>
#include <functional>

namespace linsep {

/// How many threads to use when `wanted` are asked for; 0 asks for one per core.
int thread_count(int wanted);

/// Calls `f(index, worker)` once for every index below `count`, on at most `threads` threads; `worker` (below
/// `threads`) names the thread, for scratch memory. Which worker takes which index is not fixed. The first exception
/// stops the loop and is rethrown here.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t index, std::size_t worker)>& f);

}  // namespace linsep

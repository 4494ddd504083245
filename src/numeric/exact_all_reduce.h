// Sums over the rows of all workers that come out as the same bits however the rows are spread over threads and
// workers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/binned_sums.h"
#include "core/bytes.h"
#include "core/exact_sum.h"
#include "core/parallel.h"
#include "linsep/comm.h"

namespace linsep {

/// Replaces every sum by that over all workers, in one all-reduce.
void exact_all_reduce(Comm& comm, std::span<ExactSum* const> sums);

/// The same for binned sums, in two. REQUIRES: as many sums on every worker.
void exact_all_reduce(Comm& comm, BinnedSums& sums);
/// The same for numbers that depend on the worker: the sums round, but for a given number of workers to the same bits
/// with any engine. Two all-reduces.
void exact_all_reduce(Comm& comm, std::span<double> numbers);

/// Throws a usage Error where there are several workers: for what runs on one.
void require_one_worker(const Comm& comm);

/// Sums as saved states hold them.
void save_sum(ByteWriter& writer, const ExactSum& sum);
ExactSum load_sum(ByteReader& reader);
void save_sums(ByteWriter& writer, const BinnedSums& sums);
/// Just `size` of them.
BinnedSums load_sums(ByteReader& reader, std::size_t size);

/// Calls `f(begin, end, sums)` for blocks of the numbers below `count`, on several threads, each with its own `Count`
/// sums, and adds these up over threads and workers. `nanoseconds`: about how long a number takes.
template <std::size_t Count, class F>
std::array<ExactSum, Count> exact_block_sums(Comm& comm, std::size_t count, int threads, F&& f,
                                             double nanoseconds = 20) {
  const auto most = static_cast<std::size_t>(std::max(threads, 1));
  const std::size_t size = std::clamp<std::size_t>(count / (4 * most), 256, 16384);
  using Sums = std::array<ExactSum, Count>;
  std::vector<Sums> part(most);
  const double work = nanoseconds * static_cast<double>(count);
  parallel_for((count + size - 1) / size, threads, work, [&](std::size_t block, std::size_t worker) {
    f(block * size, std::min(count, (block + 1) * size), part[worker]);
  });
  Sums& all = part.front();
  for (std::size_t k = 1; k < part.size(); ++k) {
    for (std::size_t s = 0; s < Count; ++s) all[s].add(part[k][s]);
  }
  std::array<ExactSum*, Count> each;
  for (std::size_t s = 0; s < Count; ++s) each[s] = &all[s];
  exact_all_reduce(comm, each);
  return all;
}

/// Their values.
template <std::size_t Count, class F>
std::array<double, Count> exact_all_reduce_block_sums(Comm& comm, std::size_t count, int threads, F&& f,
                                                      double nanoseconds = 20) {
  const std::array<ExactSum, Count> sums = exact_block_sums<Count>(comm, count, threads, f, nanoseconds);
  std::array<double, Count> values;
  for (std::size_t s = 0; s < Count; ++s) values[s] = sums[s].value();
  return values;
}

/// The same with `f(i, sums)` for every i below `count`.
template <std::size_t Count, class F>
std::array<double, Count> exact_all_reduce_sums(Comm& comm, std::size_t count, int threads, F&& f,
                                                double nanoseconds = 20) {
  const auto block = [&](std::size_t begin, std::size_t end, auto& sums) {
    for (std::size_t i = begin; i < end; ++i) f(i, sums);
  };
  return exact_all_reduce_block_sums<Count>(comm, count, threads, block, nanoseconds);
}

/// Replaces θ and θ0 by their means over the workers (McDonald, Hall & Mann, "Distributed training strategies for the
/// structured perceptron", 2010, with uniform mixing). A shorter θ counts as followed by zeros. One all-reduce of d + 1
/// numbers.
void mix(Comm& comm, std::vector<double>& theta, double& offset);

}  // namespace linsep

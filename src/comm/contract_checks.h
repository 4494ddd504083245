// The contract of Comm, as checks that any back end must pass. Every worker of a run makes each check. A check that
// fails throws an Error with the reason.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "linsep/comm.h"
#include "linsep/error.h"

namespace linsep::contract {

inline void demand(bool right, const std::string& what) {
  if (!right) throw system_error("contract: " + what);
}

inline std::size_t index(int rank) { return static_cast<std::size_t>(rank); }

inline void sums_maxima_and_ors_reach_everyone(Comm& comm) {
  const int workers = comm.size();
  for (int round = 0; round < 50; ++round) {
    std::vector<double> data = {comm.rank() + 1.0, 0.5 * comm.rank(), -1.0 * comm.rank()};
    comm.all_reduce(data, Comm::Op::kSum);
    demand(data[0] == workers * (workers + 1) / 2.0, "a sum of doubles");
    std::vector<double> most = {-1.0 * comm.rank(), 1.0 * comm.rank()};
    comm.all_reduce(most, Comm::Op::kMax);
    demand(most[0] == 0 && most[1] == workers - 1, "a maximum of doubles");
    std::vector<std::int64_t> bits = {std::int64_t{1} << comm.rank()}, words = {comm.rank() - 7};
    comm.all_reduce(bits, Comm::Op::kOr);
    demand(bits[0] == (std::int64_t{1} << workers) - 1, "an or");
    comm.all_reduce(words, Comm::Op::kMax);
    demand(words[0] == workers - 8, "a maximum of integers");
  }
}

inline void sums_of_integers_are_exact_or_wrap(Comm& comm) {
  std::vector<std::int64_t> data = {(std::int64_t{1} << 62) / comm.size(), comm.rank() == 0 ? 1 : 0,
                                    std::numeric_limits<std::int64_t>::max()};
  comm.all_reduce(data, Comm::Op::kSum);
  demand(data[0] == (std::int64_t{1} << 62) / comm.size() * comm.size() && data[1] == 1, "a sum of large integers");
  const std::uint64_t most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  demand(data[2] == static_cast<std::int64_t>(most * static_cast<std::uint64_t>(comm.size())), "a sum that wraps");
}

// Sums of doubles depend on their order. Whatever that order is, all workers must get the same bits.
inline void every_worker_has_the_same_bits(Comm& comm) {
  for (const std::size_t length : {1, 2, 3, 17, 1000, 100003, 1000000}) {
    std::vector<double> data(length);
    for (std::size_t i = 0; i < length; ++i) {
      data[i] = std::sin(static_cast<double>(i * 31 + index(comm.rank()) * 7919 + 1)) * std::pow(10.0, comm.rank() * 3);
    }
    comm.all_reduce(data, Comm::Op::kSum);
    std::vector<std::byte> bytes(length * sizeof(double));
    std::memcpy(bytes.data(), data.data(), bytes.size());
    if (length > 1000) bytes.erase(bytes.begin(), bytes.end() - 80000);
    for (const auto& other : comm.all_gather(bytes)) {
      demand(other == bytes, "the bits of a sum of " + std::to_string(length) + " doubles differ between workers");
    }
  }
}

inline void gathers_bytes_of_different_lengths_by_rank(Comm& comm) {
  for (const std::size_t unit : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{1} << 20}) {
    const std::vector<std::byte> mine(index(comm.rank()) * unit, static_cast<std::byte>(comm.rank() + 1));
    const auto all = comm.all_gather(mine);
    demand(all.size() == index(comm.size()), "a gather of everyone's bytes");
    for (int rank = 0; rank < comm.size(); ++rank) {
      const std::vector<std::byte> expected(index(rank) * unit, static_cast<std::byte>(rank + 1));
      demand(all[index(rank)] == expected, "bytes gathered from worker " + std::to_string(rank));
    }
  }
}

inline void nothing_reduces_to_nothing(Comm& comm) {
  comm.all_reduce(std::span<double>(), Comm::Op::kSum);
  comm.all_reduce(std::span<std::int64_t>(), Comm::Op::kMax);
}

inline void check_all(Comm& comm) {
  sums_maxima_and_ors_reach_everyone(comm);
  sums_of_integers_are_exact_or_wrap(comm);
  every_worker_has_the_same_bits(comm);
  gathers_bytes_of_different_lengths_by_rank(comm);
  nothing_reduces_to_nothing(comm);
}

/// If one worker passes another length, every worker gets an Error, never a hang or a result.
inline void lengths_that_differ(Comm& comm) {
  std::vector<double> data(comm.rank() == comm.size() - 1 ? 5 : 4);
  comm.all_reduce(data, Comm::Op::kSum);
  throw std::logic_error("workers that disagree about a length got a result");
}

}  // namespace linsep::contract

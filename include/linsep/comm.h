// Comm is the other workers of a run. Only Pass::synchronise sees it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace linsep {

/// Collective operations among `size()` workers. Every worker must make the same calls in the same order with the
/// same lengths. Results are the same bits on every worker.
class Comm {
 public:
  enum class Op { kSum, kMax, kOr };

  Comm() = default;
  Comm(const Comm&) = delete;
  Comm& operator=(const Comm&) = delete;
  virtual ~Comm() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Replaces `data` on every worker with the reduction over all of them. REQUIRES: not kOr.
  virtual void all_reduce(std::span<double> data, Op op) = 0;
  /// Likewise. Sums wrap at 64 bits.
  virtual void all_reduce(std::span<std::int64_t> data, Op op) = 0;

  /// Every worker's bytes, by rank. Lengths may differ.
  virtual std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> data) = 0;

  /// Ends the run on every worker. Their pending and later calls throw Error with this message.
  virtual void abort(const std::string& message) = 0;
};

/// The maximum and the sum of one number per worker, and whether something is true on any of them.
inline double all_reduce_max(Comm& comm, double value) {
  comm.all_reduce(std::span(&value, 1), Comm::Op::kMax);
  return value;
}
inline std::int64_t all_reduce_max(Comm& comm, std::int64_t value) {
  comm.all_reduce(std::span(&value, 1), Comm::Op::kMax);
  return value;
}
inline std::int64_t all_reduce_sum(Comm& comm, std::int64_t value) {
  comm.all_reduce(std::span(&value, 1), Comm::Op::kSum);
  return value;
}
inline bool all_reduce_any(Comm& comm, bool value) { return all_reduce_max(comm, std::int64_t{value ? 1 : 0}) != 0; }

/// A run of one worker.
std::unique_ptr<Comm> solo();

/// Runs `work` on `workers` threads of this process, each with its own Comm, and waits for all. The first exception
/// thrown by a worker aborts the others and is thrown again here.
void run_threads(int workers, const std::function<void(Comm&)>& work);

/// Runs `work` on every worker. If it throws an Error on some of them, the one of the lowest rank is thrown on all,
/// with the same kind, place and message. Anything else that is thrown stays with its worker, which must then end the
/// run. A collective call, but `work` makes none itself.
void rethrow_on_all(Comm& comm, const std::function<void()>& work);

/// Every worker's bytes, by rank.
std::vector<std::string> gather_text(Comm& comm, const std::string& mine);

}  // namespace linsep

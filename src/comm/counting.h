// What a run exchanges with its other workers: a Comm that counts the calls of another.
#pragma once

#include "linsep/comm.h"

namespace linsep {

/// What one worker put into collective calls; every worker counts the same, but for the bytes gathered.
struct Exchanged {
  std::int64_t rounds = 0;           ///< collective calls of any kind
  std::int64_t doubles_reduced = 0;  ///< numbers in all-reduces of doubles
  std::int64_t words_reduced = 0;    ///< numbers in all-reduces of 64-bit integers
  std::int64_t bytes_gathered = 0;   ///< bytes this worker gave to all_gather
};

/// Forwards every call and counts it. `comm` must outlive this object.
class CountingComm : public Comm {
 public:
  explicit CountingComm(Comm& comm) : comm_(comm) {}

  const Exchanged& exchanged() const { return exchanged_; }

  int rank() const override { return comm_.rank(); }
  int size() const override { return comm_.size(); }
  void all_reduce(std::span<double> data, Op op) override;
  void all_reduce(std::span<std::int64_t> data, Op op) override;
  std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> data) override;
  void abort(const std::string& message) override { comm_.abort(message); }

 private:
  Comm& comm_;
  Exchanged exchanged_;
};

}  // namespace linsep

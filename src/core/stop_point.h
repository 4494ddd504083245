// StopPoint: where long work looks whether the run is to end, and how it comes out of its midst then.
//
// Work that is told to end is left by an exception, which `run` catches: nothing that comes after it is done on half of
// the sums. What was kept before stays as it is. Unlike the scope of poll.h it is an object, which threads may share.
#pragma once

#include <cstdint>
#include <utility>

#include "core/poll.h"
#include "linsep/batch.h"
#include "linsep/limits.h"

namespace linsep {

class StopPoint {
 public:
  StopPoint() = default;
  StopPoint(const StopPoint&) = delete;
  StopPoint& operator=(const StopPoint&) = delete;

  /// Without one, or with an empty one, nothing is ever stopped.
  void set(StopFunction stop) {
    stop_ = std::move(stop);
    stopped_ = false;
  }
  const StopFunction& function() const { return stop_; }

  /// Asks at once. Throws Stopped (poll.h), which `run` catches, where the run is to end. Any thread may ask.
  void look() const {
    if (stop_ && stop_()) throw Stopped{};
  }

  /// Does the work, unless some was stopped before. False: it didn't come to its end, and no later work does.
  template <class Work>
  bool run(const Work& work) {
    if (stopped_) return false;
    try {
      work();
    } catch (const Stopped&) {
      stopped_ = true;
    }
    return !stopped_;
  }
  bool stopped() const { return stopped_; }

 private:
  StopFunction stop_;
  bool stopped_ = false;
};

/// Looks once in a while: after about a millisecond of work. Each thread has one of its own.
class Pace {
 public:
  explicit Pace(const StopPoint* stop) : stop_(stop) {}
  /// So many numbers more have been multiplied and added.
  void after(std::uint64_t values) {
    done_ += values;
    if (done_ < kValues || stop_ == nullptr) return;
    done_ = 0;
    stop_->look();
  }

 private:
  static constexpr std::uint64_t kValues = std::uint64_t{1} << 20;
  const StopPoint* stop_;
  std::uint64_t done_ = 0;
};

/// How many numbers a batch stores; of arrays with 64-bit columns (Batch::foreign), how many rows.
inline std::uint64_t values_in(const Batch& batch) {
  if (batch.rows == 0) return 0;
  if (batch.dense) return static_cast<std::uint64_t>(batch.rows) * batch.features;
  const auto rows = static_cast<std::size_t>(batch.rows);
  return batch.start.size() > rows ? batch.start[rows] - batch.start[0] : rows;
}

}  // namespace linsep

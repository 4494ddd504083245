// RunEnd: when a run is to end, and how long what comes after may take.
#pragma once

#include <algorithm>
#include <limits>

#include "linsep/comm.h"
#include "linsep/limits.h"

namespace linsep {

class RunEnd {
 public:
  /// Seconds beyond the end until which what was found is written down and checked: all, the claim, its witness.
  static constexpr double kStating = 0.2, kChecking = 0.35, kCheckingLess = 0.5, kCheckingWitness = 0.6;

  /// The run begins. `limits` must outlive this.
  RunEnd(const RunLimits& limits, const Comm& comm)
      : limits_(limits),
        began_(limits.now()),
        share_(limits.time_limit > 0 ? std::min(1.0, kShortRun * limits.time_limit) : 1),
        several_workers_(comm.size() > 1) {}

  /// Whether it was over `grace` seconds ago. Without a clock nothing is known of an interrupt but that it is there.
  bool over(double grace) const {
    if (!limits_.clock) return grace == 0 && limits_.interrupted();
    const double now = limits_.clock();
    if (limits_.interrupted() && now < interrupted_) interrupted_ = now;
    const double timed = limits_.time_limit > 0 ? began_ + limits_.time_limit : kNever;
    return now >= std::min(timed, interrupted_) + share_ * grace;
  }
  /// The same to be polled; empty where there are several workers, who must all do the same.
  StopFunction within(double grace) const {
    if (several_workers_) return {};
    return [this, grace] { return over(grace); };
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  /// A run of less than a quarter of a second, one of many perhaps, has less time to come to an end.
  static constexpr double kShortRun = 4;

  const RunLimits& limits_;
  double began_, share_;
  bool several_workers_;
  mutable double interrupted_ = kNever;  ///< when that was noticed
};

}  // namespace linsep

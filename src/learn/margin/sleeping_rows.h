// Rows that coordinate descent skips: α_i is at a bound and stays there for a while. After a sweep in which a free
// row's gradient drifted by δ on average, a row whose gradient is g away from mattering sleeps for about g/δ sweeps.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace linsep {

struct SleepingRows {
  double drifts = 1;   ///< a row sleeps one sweep per this many drifts of distance
  double longest = 0;  ///< sweeps, below 256

  std::vector<std::uint8_t> asleep = {};  ///< by row: sweeps for which it is still to be skipped
  double drift = 0, wakefulness = 0;
  std::int64_t drifting = 0;

  /// True: the row sleeps through this sweep.
  bool skips(std::size_t i) {
    if (asleep[i] == 0) return false;
    --asleep[i];
    return true;
  }
  /// True: the row goes to sleep. `gradient` is that of what is minimized, and α is within 0 and `limit`.
  bool rests(std::size_t i, double alpha, double limit, double gradient) {
    if (alpha == 0 ? gradient >= 0 : alpha == limit && gradient <= 0) {
      asleep[i] = static_cast<std::uint8_t>(std::min(longest, std::abs(gradient) * wakefulness));  // also of ∞·0
      return true;
    }
    if (alpha > 0 && alpha != limit) {
      drift += std::abs(gradient);
      ++drifting;
    }
    return false;
  }
  void end_sweep() {
    const double mean = drifting > 0 ? drift / static_cast<double>(drifting) : 0;
    wakefulness = mean > 0 ? 1 / (drifts * mean) : 0;
    drift = 0;
    drifting = 0;
  }
  /// No row sleeps on the wrong side of its margin.
  void wake(std::size_t i, double alpha, double margin) {
    if (alpha == 0 ? margin < 1 : margin > 1) asleep[i] = 0;
  }
};

}  // namespace linsep

// TimeLeft: the limits that end a run from outside the learner, and how much room they leave.
//
// A run is to end when its time is up or somebody interrupts it. Some learners then need a few passes more until their
// result is worth taking (Pass::passes_to_finish). These are begun early enough to end with the time, by how long
// passes took so far; and where that turns out wrong they are cut off when kGrace seconds have passed.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>

#include "linsep/progress.h"
#include "linsep/stop_reason.h"
#include "linsep/train.h"

namespace linsep {

class TimeLeft {
 public:
  /// `earlier`: seconds of the run that this one resumes.
  TimeLeft(const TrainOptions& options, double earlier) : options_(options), earlier_(earlier), began_(options.now()) {}

  /// Of training in all.
  double seconds() const { return earlier_ + options_.now() - began_; }
  bool interrupted() const { return options_.interrupted(); }

  std::optional<StopReason> reached() const {
    if (interrupted()) return StopReason::kInterrupted;
    if (options_.out_of_time(began_)) return StopReason::kTime;
    return std::nullopt;
  }

  /// Whether everything is to end at once. Without a clock an interrupted run is, unless it is `finishing`. Any thread
  /// may ask.
  bool overdue(bool finishing) const;

  /// Around each pass.
  void begin_pass() { pass_began_ = options_.now(); }
  void end_pass(const Progress& progress);
  /// Whether the passes that a learner may need to finish take all the time there is left.
  bool time_to_finish(const Progress& progress) const {
    return limited() && left() < std::min(seconds_to_finish(progress), options_.time_limit / 2);
  }
  /// Whether the pass after this one is sure to be cut off, as far as one can tell.
  bool last_whole_pass() const { return limited() && left() + kGrace < last_pass_; }

 private:
  static constexpr double kGrace = 0.3;

  bool limited() const { return options_.time_limit > 0 && options_.clock; }
  double left() const { return options_.time_limit - (options_.now() - began_); }
  double seconds_to_finish(const Progress& progress) const;

  const TrainOptions& options_;
  double earlier_;
  double began_;
  double pass_began_ = 0, last_pass_ = 0, longest_pass_ = 0;
  mutable std::atomic<double> noticed_ = std::numeric_limits<double>::infinity();  // when the interrupt was
};

}  // namespace linsep

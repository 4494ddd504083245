// The one loop with checkpoints, and how it plans its last passes.
#pragma once

#include <algorithm>

#include "linsep/train.h"
#include "train/checkpoint/checkpoint.h"

namespace linsep {

/// `train`, from where an earlier run has come and with checkpoints on the way; nullptr: without.
Outcome train_from(Checkpoints* checkpoints, Source& source, Learner& learner, const TrainOptions& options, Comm& comm,
                   const Observer& observe);

/// How long passes take, and whether there is time for those that come.
///
/// Some learners need a few passes more until their result is worth taking (Pass::passes_to_finish). These are begun
/// early enough to end with the time, by how long passes took so far.
class PassTimer {
 public:
  /// `earlier`: seconds of the run that this one resumes.
  PassTimer(const TrainOptions& options, double earlier)
      : options_(options), earlier_(earlier), began_(options.now()) {}

  /// Of training in all.
  double seconds() const { return earlier_ + options_.now() - began_; }

  /// Around each pass.
  void begin_pass() { pass_began_ = options_.now(); }
  void end_pass(const Progress& progress) {
    last_pass_ = options_.now() - pass_began_;
    // The first pass often looks at labels alone, or waits for pages that are not in memory yet.
    if (progress.pass > 1) longest_pass_ = std::max(kFading * longest_pass_, last_pass_);
  }
  /// Whether the passes that a learner may need to finish take all the time there is left.
  bool time_to_finish(const Progress& progress) const {
    return limited() && left() < std::min(seconds_to_finish(progress), options_.time_limit / 2);
  }
  /// Whether the next pass is sure to take longer than the time and `grace` seconds, as far as one can tell.
  bool last_whole_pass(double grace) const { return limited() && left() + grace < last_pass_; }

 private:
  /// Of the longest pass, after each one that follows: one that the machine held up doesn't count for good.
  static constexpr double kFading = 0.98;
  /// The share of a pass from which on one can tell how long it takes.
  static constexpr double kTelling = 1.0 / 16;

  bool limited() const { return options_.time_limit > 0 && options_.clock; }
  double left() const { return options_.time_limit - (options_.now() - began_); }

  double seconds_to_finish(const Progress& progress) const {
    double pass = longest_pass_;
    double rest = last_pass_;  // of the pass under way
    if (progress.rows > 0 && progress.rows_in_all > 0 && !progress.pass_ended) {
      const double share = static_cast<double>(progress.rows) / static_cast<double>(progress.rows_in_all);
      const double gone = options_.now() - pass_began_;
      // The passes before it tell more than the beginning of this one, until it has taken longer than they did.
      pass = std::max(pass, gone > longest_pass_ && share >= kTelling ? gone / share : gone);
      rest = pass - gone;
    }
    return rest + 2 * pass;
  }

  const TrainOptions& options_;
  double earlier_;
  double began_;
  double pass_began_ = 0, last_pass_ = 0, longest_pass_ = 0;
};

}  // namespace linsep

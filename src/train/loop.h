// The one loop with checkpoints, and how it plans its last passes.
#pragma once

#include <algorithm>

#include "linsep/train.h"
#include "train/checkpoint/checkpoint.h"

namespace linsep {

/// `train`, but continuing from where an earlier run ended and with checkpoints on the way. nullptr for none.
Outcome train_from(Checkpoints* checkpoints, Source& source, Learner& learner, const TrainOptions& options, Comm& comm,
                   const Observer& observe);

/// How long passes take, and whether there is time for further ones.
///
/// Some learners need a few more passes until their result is worth taking (Pass::passes_to_finish). These are begun
/// early enough to end in time, judging by how long passes took so far.
class PassTimer {
 public:
  /// `earlier` is the seconds of the run that this one resumes.
  PassTimer(const TrainOptions& options, double earlier)
      : options_(options), earlier_(earlier), began_(options.now()) {}

  /// Seconds of training in all.
  double seconds() const { return earlier_ + options_.now() - began_; }

  /// Call these around each pass.
  void begin_pass() { pass_began_ = options_.now(); }
  void end_pass(const Progress& progress) {
    last_pass_ = options_.now() - pass_began_;
    // The first pass often looks only at labels, or waits for pages that are not in memory yet.
    if (progress.pass > 1) longest_pass_ = std::max(kFading * longest_pass_, last_pass_);
  }
  /// Whether the passes that a learner may need to finish take all the time that is left.
  bool time_to_finish(const Progress& progress) const {
    return limited() && left() < std::min(seconds_to_finish(progress), options_.time_limit / 2);
  }
  /// Whether the next pass is sure to take longer than the time and `grace` seconds, as far as can be predicted.
  bool last_whole_pass(double grace) const { return limited() && left() + grace < last_pass_; }

 private:
  /// The factor for the longest pass after each one that follows, so that one that the machine held up doesn't count
  /// forever.
  static constexpr double kFading = 0.98;
  /// The share of a pass after which its duration can be predicted.
  static constexpr double kTelling = 1.0 / 16;

  bool limited() const { return options_.time_limit > 0 && options_.clock; }
  double left() const { return options_.time_limit - (options_.now() - began_); }

  double seconds_to_finish(const Progress& progress) const {
    double pass = longest_pass_;
    double rest = last_pass_;  // of the pass under way
    if (progress.rows > 0 && progress.rows_in_all > 0 && !progress.pass_ended) {
      const double share = static_cast<double>(progress.rows) / static_cast<double>(progress.rows_in_all);
      const double gone = options_.now() - pass_began_;
      // The passes before it are better evidence than the beginning of this one, until it has taken longer than they
      // did.
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

// --checkpoint, --every and --resume are the same for every verb whose run can be resumed.
#pragma once

#include <string>

#include "linsep/checkpoint.h"
#include "linsep/stop_reason.h"
#include "options/command_options.h"

namespace linsep::app {

struct CheckpointOptions {
  Checkpoint checkpoint;
  std::string every;

  bool asked_for() const { return !checkpoint.path.empty(); }
  /// `same` completes a sentence about the result of a resumed run, as in "the same bits".
  void declare(CommandOptions& options, const std::string& same);
  /// Throws a usage Error if they don't fit each other, and if a file is in the way. A collective call. With `quiet`,
  /// nothing is printed on standard error.
  void complete(bool quiet);
  /// Prints how to continue a run that ended early, once for all workers.
  void tell_if_stopped(StopReason reason) const;
};

}  // namespace linsep::app

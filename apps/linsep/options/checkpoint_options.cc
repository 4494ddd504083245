#include "options/checkpoint_options.h"

#include <fmt/format.h>

#include "linsep/error.h"
#include "output.h"
#include "workers.h"

namespace linsep::app {

void CheckpointOptions::declare(CommandOptions& options, const std::string& same) {
  options.add({
      {"--checkpoint", &checkpoint.path, "FILE", "Save the state of the run to this file, to resume from."},
      {"--every", &every, "TIME", "How often to save it: 60s, 5m, 1h, or a number of passes. [60s]"},
      {"--resume", &checkpoint.resume,
       fmt::format("Resume from the checkpoint, to {}; start afresh if there is none.", same)},
  });
}

void CheckpointOptions::complete(bool quiet) {
  if (!asked_for()) {
    if (checkpoint.resume || !every.empty()) throw usage_error("--every and --resume need --checkpoint FILE");
    return;
  }
  if (!every.empty()) set_every(checkpoint, every);
  if (!quiet) checkpoint.tell = notice;
  refuse_own_input(checkpoint.path);
  advise_on_failure("resume it with --resume");  // also if a worker fails while others try to write
  check_checkpoint(checkpoint, workers());
}

void CheckpointOptions::tell_if_stopped(StopReason reason) const {
  const bool stopped = reason == StopReason::kInterrupted || reason == StopReason::kTime;
  if (!stopped || !checkpoint.tell || !first_worker()) return;
  checkpoint.tell(
      fmt::format("the run was stopped; run the same command with --resume to continue from {}", checkpoint.path));
}

}  // namespace linsep::app

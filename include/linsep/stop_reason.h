// StopReason is why a run ended.
#pragma once

#include <string_view>

namespace linsep {

enum class StopReason {
  kConverged,    ///< the stopping rule holds
  kPasses,       ///< `max_passes` were made and the rule does not hold
  kTime,         ///< `time_limit` ran out between two batches. The model is that of the moment, or of the few passes
                 ///< that a learner took to finish (Pass::passes_to_finish)
  kInterrupted,  ///< `interrupt` was set. Likewise
  kEndOfStream,  ///< one pass over a stream was asked for and made
  kStalled,      ///< the stopping rule does not hold, but more passes would not help
  kInseparable,  ///< hard margin: no separator exists. `certificate` proves it, and there is no model
};

/// The name of a reason in JSON: "converged", "passes", "time", "interrupted", "end_of_stream", "stalled",
/// "inseparable".
std::string_view stop_reason_name(StopReason reason);

}  // namespace linsep

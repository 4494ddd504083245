// What there is to say of a finished run besides its outcome: whether its last pass proves that nothing is wrong, and
// why it ended.
#pragma once

#include "linsep/comm.h"
#include "linsep/train.h"
#include "report/train.h"

namespace linsep::app {

/// Whether the run's last pass has tried the final θ on all rows and found no mistake: then nothing needs counting.
bool clean_pass_proves(const Outcome& outcome);

/// What was asked of the run.
struct RunAsked {
  bool hard = false, online = false;
  double time = 0;
};
/// Fills in `advice`, `outsized` and `uneven`. REQUIRES: `argument`, `result` and `uncounted` are filled in. Columns
/// are looked at only where the gap wasn't reached. Collective.
void add_advice(Source& source, const Outcome& outcome, const RunAsked& asked, Comm& comm, TrainReport& report);

}  // namespace linsep::app

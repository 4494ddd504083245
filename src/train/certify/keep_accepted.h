// What the checker accepts, and had the time to check, stays in an outcome.
#pragma once

#include "linsep/certify.h"
#include "linsep/comm.h"
#include "linsep/progress.h"
#include "linsep/source.h"
#include "train/certify/run_end.h"

namespace linsep {

/// Everything that was proven leaves the outcome: undecided, because of a limit of the run.
void keep_nothing(CertifyOutcome& outcome, const CertifyOptions& options);

/// Checks what an outcome states (require_accepted.h). Where the run is over and that takes too long, less is stated:
/// the claim without coefficients and mistakes, which is checked unless it was; or the witness alone; or nothing. A
/// collective call.
void keep_accepted(CertifyOutcome& outcome, bool claim_was_checked, Source& source, const CertifyOptions& options,
                   const RunEnd& end, Comm& comm, const Observer& observe);

}  // namespace linsep

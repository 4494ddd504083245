// Bounds on the least number of mistakes of any linear classifier: a classifier's own, counted exactly, and disjoint
// witnesses.
#pragma once

#include "certify/core_search.h"
#include "certify/finder/finder.h"
#include "linsep/certify.h"
#include "train/certify/run_end.h"

namespace linsep {

/// Sets the outcome's bounds and the certificate's proof of them. REQUIRES: the finder's run over `source` has ended,
/// and the outcome has the witness that it found. Collective.
void bound_mistakes(Source& source, const CertifyOptions& options, const Finder& finder, const RunEnd& end, Comm& comm,
                    const Observer& observe, CertifyOutcome& outcome);

}  // namespace linsep

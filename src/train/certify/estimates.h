// What separation says of a logistic regression's coefficients: found, and as the certificate proves it.
#pragma once

#include "certify/finder/finder.h"
#include "linsep/certify.h"
#include "train/certify/run_end.h"

namespace linsep {

/// Fills in `estimates` and the certificate's `coefficients`. REQUIRES: the claim is separable, or quasi-separable with
/// a span. Goes over the rows a few times where they are few, and hardly ever where they are many: then some columns
/// stay unknown. Collective.
void add_estimates(Source& source, const CertifyOptions& options, const Finder& finder, const Separability& found,
                   const RunEnd& end, Comm& comm, const Observer& observe, CertifyOutcome& outcome);

}  // namespace linsep

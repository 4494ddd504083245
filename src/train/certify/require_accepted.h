// Nothing is stated that the checker hasn't accepted.
#pragma once

#include <cstdint>

#include "linsep/certificate.h"
#include "linsep/comm.h"
#include "linsep/limits.h"
#include "linsep/progress.h"
#include "linsep/source.h"

namespace linsep {

/// Whether a certificate states anything at all: an undecided one may not, nor does one of no rows.
bool states_something(const Certificate& certificate);

/// Throws a usage Error where no certificate could be about this map of so many features.
void require_known_map(const FeatureMap& map, std::uint32_t features);

/// Runs the checker of `proof` on what was found, and throws an Error of kind kBug where it refuses. A collective call.
/// Of the limits, threads count: what was found is checked even where time has run out or the user has had enough.
void require_accepted(const Certificate& certificate, Source& source, const RunLimits& limits, Comm& comm,
                      const Observer& observe = {});

}  // namespace linsep

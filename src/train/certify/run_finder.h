// The finder under the one loop, with checkpoints where they are asked for.
#pragma once

#include "certify/finder/finder.h"
#include "linsep/certify.h"
#include "linsep/comm.h"
#include "linsep/train.h"

namespace linsep {

/// Passes until the finder ends or a limit is reached. With `options.checkpoint` its state is kept between passes, and
/// taken up again; an Error of `open_checkpoints` where that can't be. Collective.
PassOutcome run_finder(Source& source, Finder& finder, const CertifyOptions& options, Comm& comm,
                       const Observer& observe);

}  // namespace linsep

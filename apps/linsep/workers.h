// The other workers of this run: one object for the process, solo unless an engine started it.
#pragma once

#include "linsep/comm.h"

namespace linsep::app {

/// All verbs take their Comm from here. The first call joins the others where an engine started this process.
Comm& workers();

/// Whether this process speaks for the run: prints, draws the progress bar and writes files.
bool first_worker();

}  // namespace linsep::app

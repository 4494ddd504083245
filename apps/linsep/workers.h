// The other workers of this run, as one object for the process, which is solo unless an engine started it.
#pragma once

#include <functional>
#include <string>

#include "linsep/comm.h"

namespace linsep::app {

/// All verbs take their Comm from here.
Comm& workers();

/// Whether this process speaks for the run, which means that it prints, draws the progress bar and writes files.
bool first_worker();

/// Sets the advice that is printed after the message if another worker fails, such as "resume it with --resume".
void advise_on_failure(const std::string& advice);

/// Joins the workers that an engine started with this process, runs `work`, which returns an exit code, and leaves them
/// again. An Error ends the run on every worker. One of them calls `tell` with its message, and all have the same exit
/// code. Called once, around everything.
int run_among_workers(const std::function<int()>& work, const std::function<int(const std::exception&)>& exit_code,
                      const std::function<void(const std::exception&)>& tell);

}  // namespace linsep::app

// Ctrl-C and SIGTERM: the first asks training to end with the model of the moment, the second kills. SIGBUS: a page
// file was cut off under a run.
#pragma once

#include <atomic>

namespace linsep::app {

/// From now on SIGINT and SIGTERM set the flag, each once; after that it has its default effect again.
void catch_interrupt();
const std::atomic<bool>& interrupt_flag();
/// Set by these signals too, and when the seconds of `wake_after` are over: what waits for input looks at it.
const std::atomic<bool>& wake_flag();
void wake_after(double seconds);
/// SIGTERM was among them.
bool was_terminated();
/// The exit code of a run that didn't come to its own end, so that `train && deploy` stops: 143 after SIGTERM, else
/// 130.
int interrupted_code(bool terminated = was_terminated());

/// From now on a page of a mapped file that isn't there any more (the file became shorter, or its disk failed) ends the
/// program with a message and kSystemFailure, from whichever thread met it, instead of a signal.
void catch_lost_pages();

}  // namespace linsep::app

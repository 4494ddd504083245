// Ctrl-C and SIGTERM: the first asks training to end with the model of the moment, the second kills.
#pragma once

#include <atomic>

namespace linsep::app {

/// From now on SIGINT and SIGTERM set the flag, each once; after that it has its default effect again.
void catch_interrupt();
const std::atomic<bool>& interrupt_flag();
/// SIGTERM was among them.
bool was_terminated();
/// The exit code of a run that didn't come to its own end, so that `train && deploy` stops: 143 after SIGTERM, else
/// 130.
int interrupted_code(bool terminated = was_terminated());

}  // namespace linsep::app

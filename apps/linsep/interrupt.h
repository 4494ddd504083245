// Ctrl-C and SIGTERM: the first asks training to end with the model of the moment, the second kills.
#pragma once

#include <atomic>

namespace linsep::app {

/// From now on SIGINT and SIGTERM set the flag, each once; after that it has its default effect again.
void catch_interrupt();
const std::atomic<bool>& interrupt_flag();
/// SIGTERM was among them: whoever sent it should see that the run didn't come to its own end.
bool was_terminated();

}  // namespace linsep::app

// Ctrl-C: the first asks training to end with the model of the moment, the second kills.
#pragma once

#include <atomic>

namespace linsep::app {

/// Thrown where the work so far is worth nothing, e.g. while reading.
struct Interrupted {};

/// From now on SIGINT sets the flag, once; after that it has its default effect again.
void catch_interrupt();
const std::atomic<bool>& interrupt_flag();

}  // namespace linsep::app

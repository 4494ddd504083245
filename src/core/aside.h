// run_aside: long work of a library that can't be asked to end.
#pragma once

#include <functional>

#include "core/stop_point.h"

namespace linsep {

/// Does the work in a thread of its own and returns when it is done, or throws what it threw. Where `stop` says so
/// before that, throws Stopped at once; the work then runs to its end by itself, so it owns everything that it touches.
/// A build without threads does the work at once.
void run_aside(std::function<void()> work, const StopPoint& stop);

}  // namespace linsep

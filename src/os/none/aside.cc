#include "core/aside.h"

namespace linsep {

void run_aside(std::function<void()> work, const StopPoint& /*stop*/) { work(); }

}  // namespace linsep

// The clock of the commands. They hand it to the library, which has none.
#pragma once

#include <chrono>

namespace linsep::app {

/// Seconds since some fixed moment.
inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace linsep::app

// The clock that commands measure with and hand to the library, which has none.
#pragma once

#include <chrono>

namespace linsep::app {

/// Seconds since some fixed moment.
inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace linsep::app

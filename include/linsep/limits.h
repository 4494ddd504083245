// RunLimits is what a run may use. Everything that runs long takes them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace linsep {

/// Whether work should end now. Long work asks about every hundredth of a second.
using StopFunction = std::function<bool()>;

struct RunLimits {
  double time_limit = 0;                         ///< seconds, or 0 for none. Needs `clock`
  std::function<double()> clock = {};            ///< seconds since any fixed moment. The library has no own clock
  const std::atomic<bool>* interrupt = nullptr;  ///< set from elsewhere to stop
  int threads = 0;                               ///< 0 for one per core. Changes no bit of a result
  /// Bytes for the whole process, which rows in pages are fitted to. 0 means what the system has left. The needs of a
  /// run are estimated before anything is allocated, and too much is a usage Error.
  std::uint64_t memory = 0;

  /// Seconds by the clock, or 0 without one.
  double now() const { return clock ? clock() : 0; }
  bool interrupted() const { return interrupt != nullptr && interrupt->load(std::memory_order_relaxed); }
};

/// Bytes as people write them, rounded up, like "64M" or "1.5G".
std::string size_words(std::uint64_t bytes);

}  // namespace linsep

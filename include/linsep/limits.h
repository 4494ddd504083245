// RunLimits: what a run may use. Everything that runs long takes them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace linsep {

/// Whether work should end now. Long work asks it about every hundredth of a second.
using StopFunction = std::function<bool()>;

struct RunLimits {
  double time_limit = 0;                         ///< seconds; 0: none. Needs `clock`
  std::function<double()> clock = {};            ///< seconds since any fixed moment; the library has none of its own
  const std::atomic<bool>* interrupt = nullptr;  ///< set from elsewhere to stop
  int threads = 0;                               ///< 0: one per core. Changes no bit of a result
  /// Bytes for the whole process, which rows in pages are fitted to. 0: what the system has left. What a run needs
  /// is estimated before it is allocated; too much is a usage Error.
  std::uint64_t memory = 0;

  /// By the clock; 0 without one.
  double now() const { return clock ? clock() : 0; }
  bool interrupted() const { return interrupt != nullptr && interrupt->load(std::memory_order_relaxed); }
};

/// "64M", "1.5G": bytes as people write them, rounded up.
std::string size_words(std::uint64_t bytes);

}  // namespace linsep

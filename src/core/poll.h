// Ends long work from within: whoever begins it says by a StopScope when it is to end, what goes on deep within polls,
// and where the answer is yes, Stopped leaves that work for where the scope was made.
//
// For exact arithmetic and maps, whose single steps can take minutes and which would otherwise hand a StopFunction down
// through every call. A scope is of its thread, and only what promises to be whole after a Stopped runs under one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "linsep/limits.h"

namespace linsep {

/// Thrown by `poll`. No Error: nothing is wrong.
struct Stopped {};

namespace poll_detail {

/// Work between two questions: about a tenth of a millisecond at a nanosecond each.
constexpr std::size_t kAskAfter = std::size_t{1} << 17;

struct Asked {
  const StopFunction* stop = nullptr;
  std::size_t work = 0;
};
inline constinit thread_local Asked asked;

}  // namespace poll_detail

/// While it lives, `poll` on this thread asks `stop`, which must outlive it; an empty one is never asked. Of scopes
/// within each other the innermost counts.
class StopScope {
 public:
  explicit StopScope(const StopFunction& stop) : before_(poll_detail::asked) {
    poll_detail::asked = {stop ? &stop : nullptr, 0};
  }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  ~StopScope() { poll_detail::asked = before_; }

 private:
  poll_detail::Asked before_;
};

/// `work`: about how many nanoseconds were spent since the last call. Throws Stopped where the scope's question, asked
/// once in a while, says so. Without a scope it costs next to nothing.
inline void poll(std::size_t work) {
  poll_detail::Asked& asked = poll_detail::asked;
  if (asked.stop == nullptr) return;
  asked.work += work;
  if (asked.work < poll_detail::kAskAfter) return;
  asked.work = 0;
  if ((*asked.stop)()) throw Stopped{};
}

/// Runs f under a scope. False: it was stopped.
template <class F>
bool unless_stopped(const StopFunction& stop, F&& f) {
  const StopScope scope(stop);
  try {
    f();
    return true;
  } catch (const Stopped&) {
    return false;
  }
}

}  // namespace linsep

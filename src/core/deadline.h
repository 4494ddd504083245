// Deadline answers whether long work may go on, and lets work that may not be left from within.
//
// A Deadline expires when a run's time is up, when somebody interrupts it, or when the caller's function returns true.
// Work under `Deadline::run` polls. Once in a while `poll` asks the deadline, and if it has expired throws Expired,
// which `run` catches. Nothing that comes after is done on half of the sums. Work that leaves nothing behind, such as
// reading, runs under `interruptible`, and an interrupt is an Error in it. Neither is passed as a parameter. The
// threads of `parallel_for` poll what the thread that called it polls.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "linsep/error.h"
#include "linsep/limits.h"

namespace linsep {

/// Thrown by `poll`. It is no Error, because nothing is wrong.
struct Expired {};

class Deadline {
 public:
  /// Never expires.
  Deadline() = default;
  /// Expires when `stop` returns true. An empty one never expires.
  template <class Stop>
    requires std::is_invocable_r_v<bool, Stop&>
  Deadline(Stop stop) {  // NOLINT(google-explicit-constructor): a StopFunction is a deadline
    if (StopFunction expired = std::move(stop)) expired_by_ = [expired](double) { return expired(); };
  }
  /// For a run that starts now. Expires when its time is up or when an interrupt is first noticed. Without a clock the
  /// moment of an interrupt is unknown, only that it was set. Seconds of grace count `grace_scale` times.
  explicit Deadline(const RunLimits& limits, double grace_scale = 1) {
    static constexpr double kNever = std::numeric_limits<double>::infinity();
    struct Run {
      RunLimits limits;
      double end = kNever;
      std::atomic<double> interrupted = kNever;
    };
    const auto run = std::make_shared<Run>();
    run->limits = limits;
    if (limits.time_limit > 0) run->end = limits.now() + limits.time_limit;
    expired_by_ = [run, grace_scale](double grace) {
      if (!run->limits.clock) return grace == 0 && run->limits.interrupted();
      const double now = run->limits.clock();
      double noticed = kNever;
      if (run->limits.interrupted() && run->interrupted.compare_exchange_strong(noticed, now)) noticed = now;
      return now >= std::min(run->end, noticed) + grace_scale * grace;
    };
  }

  /// Whether it can expire at all.
  explicit operator bool() const { return static_cast<bool>(expired_by_); }
  /// Any thread may ask.
  bool expired() const { return expired_by(0); }
  /// Whether it expired `grace` seconds ago. A caller's function has no time, so it has expired or it hasn't.
  bool expired_by(double grace) const { return expired_by_ && expired_by_(grace_ + grace); }
  /// The same, `grace` seconds later.
  Deadline extended(double grace) const {
    Deadline later = *this;
    later.grace_ += grace;
    return later;
  }

  /// Does the work, in which `poll` asks this deadline, unless some was cut off before. False if it didn't come to its
  /// end, and then no later work of this Deadline does. Only what promises to be whole after an Expired may run here.
  template <class Work>
  bool run(const Work& work);
  bool cut_off() const { return cut_off_; }

 private:
  std::function<bool(double grace)> expired_by_;
  double grace_ = 0;
  bool cut_off_ = false;
};

/// The deadline and interrupt that a thread polls.
struct Polled {
  const Deadline* deadline = nullptr;            ///< if it expires, Expired is thrown
  const std::atomic<bool>* interrupt = nullptr;  ///< if it is set, an Error of kind kInterrupted is thrown
};

namespace deadline_detail {

struct State {
  Polled polled;
  std::size_t work = 0;  ///< since it was last asked
};
inline constinit thread_local State state;

}  // namespace deadline_detail

/// The deadline and interrupt that this thread polls.
inline const Polled& polled() { return deadline_detail::state.polled; }

/// While it lives, `poll` on this thread asks `polled`, which must outlive it. In nested scopes the innermost counts.
/// Work runs under Deadline::run, and threads that help it have scopes of the same.
class PollScope {
 public:
  explicit PollScope(const Polled& polled) : before_(deadline_detail::state) { deadline_detail::state = {polled, 0}; }
  explicit PollScope(const Deadline* deadline)
      : PollScope(Polled{deadline != nullptr && *deadline ? deadline : nullptr, nullptr}) {}
  PollScope(const PollScope&) = delete;
  PollScope& operator=(const PollScope&) = delete;
  ~PollScope() { deadline_detail::state = before_; }

 private:
  deadline_detail::State before_;
};

/// Throws if this thread's deadline has expired, or its interrupt is set.
inline void poll_now() {
  const Polled& asked = polled();
  if (asked.interrupt != nullptr && asked.interrupt->load(std::memory_order_relaxed)) throw interrupted_error();
  if (asked.deadline != nullptr && asked.deadline->expired()) throw Expired{};
}

/// The same once in a while. `work` is about how many nanoseconds were spent since the last call. Without a deadline it
/// costs next to nothing.
inline void poll(std::size_t work) {
  constexpr std::size_t kAskAfter = std::size_t{1} << 17;  // about a tenth of a millisecond
  deadline_detail::State& state = deadline_detail::state;
  if (state.polled.deadline == nullptr && state.polled.interrupt == nullptr) return;
  state.work += work;
  if (state.work < kAskAfter) return;
  state.work = 0;
  poll_now();
}

/// Does work of which nothing is left if it is interrupted, such as reading. In it `poll` also looks at `interrupt`,
/// and throws an Error of kind kInterrupted once that is set. With nullptr nothing more than before is polled.
template <class Work>
decltype(auto) interruptible(const std::atomic<bool>* interrupt, const Work& work) {
  const PollScope scope(interrupt == nullptr ? polled() : Polled{polled().deadline, interrupt});
  return work();
}

template <class Work>
bool Deadline::run(const Work& work) {
  if (cut_off_) return false;
  const PollScope scope(this);
  try {
    work();
  } catch (const Expired&) {
    cut_off_ = true;
  }
  return !cut_off_;
}

}  // namespace linsep

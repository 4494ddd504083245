// supervise: a call of the core that Python can watch and stop.
//
// The core works on a thread of its own, which is kept for the next call, and never takes the GIL. The caller's thread
// waits, at most 50 ms at a time without the GIL, checks for signals and runs the callback. Notebooks, context
// variables and scikit-learn's configuration need that thread. A record in the middle of a pass replaces the one before
// it. A record that ends a pass is answered before the core goes on, so that a stop comes after that pass whatever the
// clock shows. Without a callback nothing waits.
//
// How to use it:
//
//   const RowsLock use(rows);                         // one call at a time
//   auto done = supervise(observe, [&](const Watch& watch) {
//     return certify(rows.source(watch), options_with(watch.limits(threads, time_limit)), …, watch.observe);
//   });
//   done.value, done.pending                     // something to keep, and what is to be raised afterwards (or None)
//
// If there is nothing to keep when a run is stopped, `auto value = supervised(observe, work);` raises what is pending.
// `work` runs without the GIL, so it must not touch a Python object. Work that takes less time than waking a thread
// stays on the caller's thread, if the call declares it short.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "linsep/limits.h"
#include "linsep/progress.h"

namespace linsep::python {

namespace nb = nanobind;

/// What the working thread gets.
struct Watch {
  Observer observe;                              ///< empty if nobody watches
  const std::atomic<bool>* interrupt = nullptr;  ///< set by a signal, or if a callback raised or asked for it
  std::atomic<bool>* stop = nullptr;             ///< the same, for work that stops itself

  /// Limits with a clock. `time_limit` is 0 for none.
  RunLimits limits(int threads = 0, double time_limit = 0) const;
};

/// Seconds since some fixed moment.
double seconds_now();
/// A record as callbacks and histories get it. Absent figures are None.
nb::dict progress_dict(const Progress& progress);

class Supervision {
 public:
  /// `observe` is None or a callable that takes a dict of Progress and returns True to stop the run.
  explicit Supervision(nb::object observe) : observe_(std::move(observe)) {}
  Supervision(const Supervision&) = delete;
  Supervision& operator=(const Supervision&) = delete;

  /// Returns when `work` has. Throws what it throws, unless an exception is pending, which is then raised instead.
  void run(const std::function<void(const Watch&)>& work);
  /// The same for short work that nobody observes. It runs on the caller's thread, which keeps the GIL.
  void run_here(const std::function<void(const Watch&)>& work);
  bool observed() const { return !observe_.is_none(); }
  /// The exception that a signal's handler or the callback raised, or None.
  const nb::object& pending() const { return pending_; }

 private:
  Watch watch();
  void take(const Progress& progress);
  bool attend();
  void answer(const Progress& progress);
  void stop_where_asked(const Progress& progress);
  void check_signals();
  void keep_exception();

  nb::object observe_;
  nb::object pending_ = nb::none();
  bool stop_asked_ = false;
  std::atomic<bool> interrupt_{false};

  std::mutex mutex_;
  std::condition_variable news_, answers_;
  std::optional<Progress> record_;           // the latest that wasn't answered yet
  std::uint64_t posted_ = 0, answered_ = 0;  // numbers of records
  bool done_ = false;
  std::exception_ptr failure_;
};

/// Raises an exception object, as `raise value` does.
[[noreturn]] void raise(const nb::object& value);

template <class T>
struct Supervised {
  T value;
  nb::object pending;  ///< an exception, or None
};

/// How long a call takes. `kShort` is at most a tenth of a millisecond.
enum class Length : std::uint8_t { kShort, kUnknown };

/// Calls `work(watch)` on a separate thread. Short work that nobody observes runs on the caller's thread.
template <class Work>
auto supervise(nb::object observe, const Work& work, Length length = Length::kUnknown)
    -> Supervised<decltype(work(std::declval<const Watch&>()))> {
  std::optional<decltype(work(std::declval<const Watch&>()))> value;
  Supervision supervision(std::move(observe));
  const auto keep = [&](const Watch& watch) { value.emplace(work(watch)); };
  if (length == Length::kShort && !supervision.observed()) {
    supervision.run_here(keep);
  } else {
    supervision.run(keep);
  }
  return {std::move(*value), supervision.pending()};
}

/// The same for a run that leaves nothing if stopped. It raises what is pending.
template <class Work>
auto supervised(nb::object observe, const Work& work, Length length = Length::kUnknown) {
  auto done = supervise(std::move(observe), work, length);
  if (!done.pending.is_none()) raise(done.pending);
  return std::move(done.value);
}

}  // namespace linsep::python

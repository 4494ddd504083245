#include "supervise.h"

#include <chrono>
#include <future>
#include <string_view>

#include "os/aside.h"

namespace linsep::python {
namespace {

constexpr std::chrono::milliseconds kPatience(50);

template <class T>
nb::object or_none(const std::optional<T>& value) {
  return value ? nb::cast(*value) : nb::none();
}

}  // namespace

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

RunLimits Watch::limits(int threads, double time_limit) const {
  RunLimits limits;
  limits.clock = seconds_now;
  limits.time_limit = time_limit;
  limits.threads = threads;
  limits.interrupt = interrupt;
  return limits;
}

nb::dict progress_dict(const Progress& progress) {
  const std::string_view phase = phase_name(progress.phase);
  nb::dict record;
  record["pass"] = progress.pass;
  record["rows"] = progress.rows;
  record["rows_in_all"] = progress.rows_in_all;
  record["pass_ended"] = progress.pass_ended;
  record["seconds"] = progress.seconds;
  record["mistakes"] = or_none(progress.mistakes);
  record["objective"] = or_none(progress.objective);
  record["gap"] = or_none(progress.gap);
  record["witnesses"] = or_none(progress.witnesses);
  record["residual"] = or_none(progress.residual);
  record["phase"] = nb::str(phase.data(), phase.size());
  record["passes_in_all"] = progress.passes_in_all;
  return record;
}

void raise(const nb::object& value) {
  PyErr_SetObject(value.type().ptr(), value.ptr());
  throw nb::python_error();
}

Watch Supervision::watch() {
  Watch watch;
  watch.interrupt = &interrupt_;
  watch.stop = &interrupt_;
  return watch;
}

void Supervision::run(const std::function<void(const Watch&)>& work) {
  Watch watched = watch();
  if (!observe_.is_none()) watched.observe = [this](const Progress& progress) { take(progress); };
  {
    struct Ended {
      std::future<void> future;
      ~Ended() { future.wait(); }
    };
    const Ended ended(start_aside([&] {
      try {
        work(watched);
      } catch (...) {
        failure_ = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      done_ = true;
      news_.notify_one();
    }));
    while (attend()) {
    }
  }
  if (!failure_) return;
  if (!pending_.is_none()) raise(pending_);
  std::rethrow_exception(failure_);
}

void Supervision::run_here(const std::function<void(const Watch&)>& work) {
  work(watch());
  check_signals();
}

/// Runs on the working thread.
void Supervision::take(const Progress& progress) {
  std::unique_lock lock(mutex_);
  record_ = progress;
  const std::uint64_t number = ++posted_;
  news_.notify_one();
  if (progress.pass_ended) answers_.wait(lock, [&] { return answered_ >= number; });
}

/// Runs on the caller's thread. Waits for news and handles them. Returns whether the work goes on.
bool Supervision::attend() {
  std::optional<Progress> record;
  std::uint64_t number = 0;
  bool done = false;
  {
    const nb::gil_scoped_release others_may_run;
    std::unique_lock lock(mutex_);
    news_.wait_for(lock, kPatience, [&] { return done_ || record_; });
    record = std::exchange(record_, std::nullopt);
    number = posted_;
    done = done_;
  }
  check_signals();
  if (record) {
    answer(*record);
    stop_where_asked(*record);
    const std::lock_guard lock(mutex_);
    answered_ = number;
    answers_.notify_one();
  }
  return !done;
}

void Supervision::answer(const Progress& progress) {
  if (!pending_.is_none()) return;
  try {
    if (nb::bool_(observe_(progress_dict(progress)))) stop_asked_ = true;
  } catch (nb::python_error& error) {
    error.restore();
    keep_exception();
  }
}

/// A run of passes stops only after one of them, so that the clock doesn't decide what was learned. Anything else stops
/// at once.
void Supervision::stop_where_asked(const Progress& progress) {
  if (stop_asked_ && (progress.pass_ended || progress.phase != Phase::kTraining)) interrupt_ = true;
}

void Supervision::check_signals() {
  if (PyErr_CheckSignals() != 0) keep_exception();
}

/// Takes the current exception, unless one was taken before.
void Supervision::keep_exception() {
  interrupt_ = true;
  const nb::python_error error;
  if (pending_.is_none()) pending_ = nb::borrow(error.value());
}

}  // namespace linsep::python

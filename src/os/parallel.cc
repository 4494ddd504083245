// The threads behind core/parallel.h, which are started when they are first needed and kept until the process ends.
//
// A loop is offered to threads that have nothing to do, and its caller works on it as well. Once no index is left the
// offer is withdrawn, and the caller waits only for those who have come. So a thread that the system wakes late delays
// nothing, and loops may also be run from within loops.
//
// The same threads do work that its caller only waits for (os/aside.h). Such work has a thread at once, and loops share
// the others.
//
// A forked process has none of its parent's threads, and perhaps a locked mutex, so it makes a pool of its own.
#include "core/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <future>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/deadline.h"
#include "os/aside.h"
#include "os/process.h"

namespace linsep {
namespace {

/// One call of parallel_for.
struct Loop {
  std::size_t count;
  const std::function<void(std::size_t index, std::size_t worker)>& f;
  const Polled asked = polled();
  std::atomic<std::size_t> next = 0;
  // Guarded by the pool's mutex:
  std::size_t wanted = 0;  ///< threads that may still come
  std::size_t came = 0;
  std::size_t left = 0;
  std::exception_ptr failure = nullptr;

  /// Returns what was thrown, if anything.
  std::exception_ptr work(std::size_t worker) {
    const PollScope scope(asked);
    try {
      for (std::size_t index = next++; index < count; index = next++) f(index, worker);
    } catch (...) {
      next = count;
      return std::current_exception();
    }
    return nullptr;
  }
};

/// One call of start_aside.
struct Aside {
  std::function<void()> work;
  std::promise<void> ended;
};

std::atomic<std::uint64_t> started = 0;

class Pool {
 public:
  void run(Loop& loop, std::size_t helpers) {
    {
      const std::lock_guard lock(mutex_);
      loop.wanted = std::min(helpers, grow(helpers));
      if (loop.wanted > 0) open_.push_back(&loop);
      for (std::size_t k = 0; k < loop.wanted; ++k) offered_.notify_one();
    }
    const std::exception_ptr own = loop.work(0);
    std::unique_lock lock(mutex_);
    std::erase(open_, &loop);
    finished_.wait(lock, [&] { return loop.left == loop.came; });
    const std::exception_ptr failure = loop.failure ? loop.failure : own;
    lock.unlock();
    if (failure) std::rethrow_exception(failure);
  }

  /// Runs on a thread that has nothing to do, or on a new one.
  std::future<void> start(std::function<void()> work) {
    const std::lock_guard lock(mutex_);
    if (threads_.size() - busy_ <= waiting_.size()) start_thread();
    ++aside_;
    std::future<void> ended = waiting_.emplace_back(std::move(work), std::promise<void>()).ended.get_future();
    offered_.notify_one();
    return ended;
  }

  /// Runs at the end of the process. If work still goes on then (in a thread of the caller's that nobody has joined),
  /// it is left alone.
  void end() {
    std::unique_lock lock(mutex_);
    ending_ = true;
    const bool idle = busy_ == 0;
    lock.unlock();
    offered_.notify_all();
    for (std::thread& thread : threads_) {
      if (idle) {
        thread.join();
      } else {
        thread.detach();
      }
    }
  }

 private:
  void start_thread() {
    const QuietStart quiet;
    threads_.emplace_back([this] { attend(); });
    ++started;
  }

  /// How many threads there are for loops, after missing ones were started, as far as the system allows.
  std::size_t grow(std::size_t wanted) {
    if (ending_) return 0;
    try {
      while (threads_.size() - aside_ < wanted) start_thread();
    } catch (const std::system_error&) {  // the caller's own thread is enough
    }
    return threads_.size() - aside_;
  }

  void attend() {
    std::unique_lock lock(mutex_);
    while (true) {
      offered_.wait(lock, [&] { return ending_ || !waiting_.empty() || !open_.empty(); });
      if (ending_) return;
      if (waiting_.empty()) {
        join(lock);
      } else {
        work_aside(lock);
      }
    }
  }

  /// Takes part in the oldest loop. Holds the lock before and afterwards.
  void join(std::unique_lock<std::mutex>& lock) {
    Loop& loop = *open_.front();
    const std::size_t worker = ++loop.came;
    if (--loop.wanted == 0) open_.erase(open_.begin());
    ++busy_;
    lock.unlock();
    const std::exception_ptr failure = loop.work(worker);
    lock.lock();
    --busy_;
    if (failure && !loop.failure) loop.failure = failure;
    if (++loop.left == loop.came) finished_.notify_all();
  }

  /// Does the work that waits longest. Its caller learns of the end once this thread may be given other work.
  void work_aside(std::unique_lock<std::mutex>& lock) {
    Aside aside = std::move(waiting_.front());
    waiting_.pop_front();
    ++busy_;
    lock.unlock();
    std::exception_ptr failure;
    try {
      aside.work();
    } catch (...) {
      failure = std::current_exception();
    }
    aside.work = nullptr;
    lock.lock();
    --busy_;
    --aside_;
    if (failure) {
      aside.ended.set_exception(std::move(failure));
    } else {
      aside.ended.set_value();
    }
  }

  std::mutex mutex_;
  std::condition_variable offered_, finished_;
  std::vector<Loop*> open_;    // loops that threads may still join, the oldest first
  std::deque<Aside> waiting_;  // work that no thread has begun
  std::vector<std::thread> threads_;
  std::size_t busy_ = 0;   // threads at work
  std::size_t aside_ = 0;  // pieces of work aside that haven't ended
  bool ending_ = false;
};

/// The process's pool. It is never deleted, because threads may outlive what ends with the process.
std::atomic<Pool*> current = nullptr;

Pool& pool() {
  Pool* known = current.load();
  if (known != nullptr) return *known;
  auto* const made = new Pool;
  if (current.compare_exchange_strong(known, made)) return *made;
  delete made;
  return *known;
}

struct Lifetime {
  Lifetime() noexcept {
    begin_forks_with([] {
      current = nullptr;
      started = 0;
    });
  }
  Lifetime(const Lifetime&) = delete;
  Lifetime& operator=(const Lifetime&) = delete;
  ~Lifetime() {
    if (Pool* const last = current.load()) last->end();
  }
};
const Lifetime lifetime;

}  // namespace

int thread_count(int wanted) { return wanted > 0 ? wanted : allowed_cpus(); }

void parallel_for(std::size_t count, int threads, double nanoseconds,
                  const std::function<void(std::size_t index, std::size_t worker)>& f) {
  const double most = std::min(static_cast<double>(count), nanoseconds / kLeastNanoseconds);
  if (threads <= 1 || most < 2) {
    for (std::size_t index = 0; index < count; ++index) f(index, std::size_t{0});
    return;
  }
  Loop loop{count, f};
  pool().run(loop, static_cast<std::size_t>(std::min(most, static_cast<double>(threads))) - 1);
}

std::future<void> start_aside(std::function<void()> work) { return pool().start(std::move(work)); }

void run_aside(std::function<void()> work) {
  constexpr auto kAskEvery = std::chrono::milliseconds(10);
  if (polled().deadline == nullptr && polled().interrupt == nullptr) return work();
  std::future<void> ended = start_aside(std::move(work));
  while (ended.wait_for(kAskEvery) == std::future_status::timeout) poll_now();
  ended.get();
}

std::uint64_t threads_started() { return started; }

}  // namespace linsep

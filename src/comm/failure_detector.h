// FailureDetector finds out which workers are alive, which round they are in, and why the run ended. It is independent
// of engines and reads no clock: the caller passes the time.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "linsep/tools/engines.h"

namespace linsep {

/// A small message between workers, apart from the collectives.
struct Message {
  int from = 0;
  std::string bytes;
  bool closed = false;  ///< the worker closed its end of the connection, so nothing more will come from it
  bool forged = false;  ///< it was closed here, because what arrived wasn't what the worker sent
};

/// Messages have at most kLongestMessage bytes and arrive whole, and those of one worker arrive in order. No call waits
/// for a worker. Calls may come from several threads, one at a time.
class Mailbox {
 public:
  static constexpr std::size_t kLongestMessage = 2000;

  Mailbox() = default;
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;
  virtual ~Mailbox() = default;

  /// Sends if possible. A worker that doesn't take its messages loses them.
  virtual void send(int to, const std::string& bytes) = 0;
  virtual std::optional<Message> receive() = 0;
};

/// The workers that worker `rank` watches and writes to: all others or, if there are many, the first and its neighbors.
/// The relation is symmetric, so a worker is watched by those it watches.
std::vector<int> watched_workers(int rank, int size);

/// How messages name a worker: "2 (host3)".
std::string worker_name(int rank, const std::string& host);

class FailureDetector {
 public:
  /// `hosts[k]` is where worker k runs. Times are in seconds from any origin.
  FailureDetector(Mailbox& mailbox, int rank, std::vector<std::string> hosts, double timeout, double now);

  // For the thread that computes.

  /// Begins a collective call, whose kind and length `signature` encodes. Throws if the run has ended.
  void enter(std::uint64_t signature);
  bool ended() const { return ended_.load(std::memory_order_acquire); }
  /// Throws the Error with which the run ended. REQUIRES: ended().
  [[noreturn]] void raise() const;
  /// Ends the run everywhere because this worker itself failed, unless the run has ended. The others get the message in
  /// any case.
  void end(const std::string& message, int code);
  /// Ends the run everywhere because something is wrong between the workers, unless the run has ended.
  void report(const std::string& message);
  /// Does the same because what came from `worker` isn't what it sent.
  void report_forged(int worker);

  // A worker that failed by itself reports why the run ended. If workers were found to have failed, the first that
  // isn't named should report, but it may be the one that hangs, or may compute for long. So a worker speaks only after
  // announcing it, and the others are silent only once they have heard the announcement. REQUIRE: ended().

  /// Whether no worker has announced that it will speak, although one before this one should.
  bool awaits_speaker() const;
  /// Announces that this worker will speak, unless another has announced it.
  void offer_to_speak();
  /// Whether this worker is the one to speak: the first of those known by now to have announced it.
  bool speaks() const;
  int code() const;
  /// Whether this worker itself failed, that is, it has called `end`, or no call of its own has raised the end of the
  /// run.
  bool failed_alone() const { return !raised_.load(std::memory_order_acquire); }

  /// Announces that this worker makes no further calls. From then on its silence is no failure.
  void say_goodbye();
  bool all_said_goodbye() const;

  // For the detector's thread, which calls `tick` several times per `interval()`.
  void tick(double now);
  double interval() const { return timeout_ / 10; }

 private:
  struct Peer {
    int rank = 0;
    double heard = 0;
    bool gone = false;
  };

  void take(const Message& message, double now);
  void read(Peer& peer, const std::string& bytes);
  void take_beat(const Peer& peer, std::uint64_t round, std::uint64_t signature);
  void take_notice(const std::string& bytes);
  void judge(double now);
  void conclude(const std::vector<int>& named, const std::string& message, int code, int speaker);
  void report(const std::vector<int>& named, const std::string& message);
  std::string forged_message(int worker) const;
  void write_notice(const std::vector<int>& named, const std::string& message, int code, int speaker);
  void write_beats();
  std::string name(int rank) const;

  Mailbox& mailbox_;
  const int rank_;
  const std::vector<std::string> hosts_;
  const double timeout_;

  mutable std::mutex mutex_;
  std::vector<Peer> peers_;
  double last_tick_;
  double next_beat_;
  std::uint64_t round_ = 0;
  std::uint64_t signature_ = 0;
  bool said_goodbye_ = false;

  std::atomic<bool> ended_ = false;
  mutable std::atomic<bool> raised_ = false;
  std::string message_;     // why the run ended
  std::vector<int> named_;  // the workers that were found to have failed
  int code_ = 0;
  int speaker_ = 0;  // the first worker that failed by itself or announced that it will speak, or kNobody
};

/// The only clock of the comm room. It decides nothing but when to give up on a run.
inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Lets a FailureDetector tick while the worker computes.
class FailureDetectorThread {
 public:
  /// `on_end` is called once, in this thread, if the run ends in any way but by goodbyes.
  FailureDetectorThread(FailureDetector& detector, std::function<void()> on_end)
      : detector_(detector), on_end_(std::move(on_end)), thread_([this] { run(); }) {}
  FailureDetectorThread(const FailureDetectorThread&) = delete;
  FailureDetectorThread& operator=(const FailureDetectorThread&) = delete;
  ~FailureDetectorThread() {
    {
      const std::scoped_lock lock(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }

 private:
  void run() {
    const std::chrono::duration<double> pause(std::min(0.05, detector_.interval() / 4));
    bool notified = false;
    std::unique_lock lock(mutex_);
    while (!stop_) {
      lock.unlock();
      detector_.tick(steady_seconds());
      if (detector_.ended() && !std::exchange(notified, true)) on_end_();
      lock.lock();
      wake_.wait_for(lock, pause, [&] { return stop_; });
    }
  }

  FailureDetector& detector_;
  std::function<void()> on_end_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  std::thread thread_;  // last, because it uses the others
};

}  // namespace linsep

// FailureDetector: which workers are alive, which round they are in, and why the run ended. Knows nothing of
// engines and reads no clock: it is told the time.
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

/// A small message between workers, beside the collectives.
struct Message {
  int from = 0;
  std::string bytes;
  bool closed = false;  ///< the worker's end of the connection is closed; nothing more will come from it
  bool forged = false;  ///< it was closed here, because what came wasn't what the worker sent
};

/// Messages have at most kLongestMessage bytes and arrive whole, those of one worker in order. No call waits for a
/// worker. Calls may come from several threads, one at a time.
class Mailbox {
 public:
  static constexpr std::size_t kLongestMessage = 2000;

  Mailbox() = default;
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;
  virtual ~Mailbox() = default;

  /// Sent if it can be; a worker that doesn't take its messages loses them.
  virtual void send(int to, const std::string& bytes) = 0;
  virtual std::optional<Message> receive() = 0;
};

/// The workers that worker `rank` watches and writes to: all others, or, where there are many, the first and its
/// neighbours. Symmetric: a worker is watched by those it watches.
std::vector<int> watched_workers(int rank, int size);

/// "2 (host3)", as messages name a worker.
std::string worker_name(int rank, const std::string& host);

class FailureDetector {
 public:
  /// `hosts[k]` is where worker k runs. Times are in seconds from any origin.
  FailureDetector(Mailbox& mailbox, int rank, std::vector<std::string> hosts, double timeout, double now);

  // For the thread that computes.

  /// A collective call begins; `signature` encodes its kind and length. Throws when the run has ended.
  void enter(std::uint64_t signature);
  bool ended() const { return ended_.load(std::memory_order_acquire); }
  /// Throws the Error with which the run ended. REQUIRES: ended().
  [[noreturn]] void raise() const;
  /// This worker itself fails: ends the run everywhere, unless it has ended. The others are told in any case.
  void end(const std::string& message, int code);
  /// Something is wrong between the workers: ends the run everywhere, unless it has ended.
  void report(const std::string& message);
  /// What came wasn't what this worker has sent: likewise.
  void report_forged(int worker);

  // Who says why the run ended. A worker that failed by itself does. Where workers were found to have failed, the
  // first that isn't named should, but it may be the one that hangs, or compute for long: so a worker speaks only
  // after it has said that it will, and the others are silent only when they have heard so. REQUIRE: ended().

  /// Whether no worker has said that it will speak, and one before this one should.
  bool awaits_speaker() const;
  /// Says that this worker will speak, unless another has said so.
  void offer_to_speak();
  /// Whether this worker is the one to speak: the first of those that said so, as far as is known by now.
  bool speaks() const;
  int code() const;
  /// Whether this worker itself failed: it has called `end`, or no call of its own has raised the end of the run.
  bool failed_alone() const { return !raised_.load(std::memory_order_acquire); }

  /// This worker makes no further calls. From then on its silence is no failure.
  void say_goodbye();
  bool all_said_goodbye() const;

  // For the detector's thread; to be called several times per `interval()`.
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
  int speaker_ = 0;  // the first worker that failed by itself or said that it will speak, or kNobody
};

/// The only clock of the comm room: it decides only when a run is given up.
inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Lets a FailureDetector tick while the worker computes.
class FailureDetectorThread {
 public:
  /// `on_end` is called once, in this thread, when the run ends in any way but by goodbyes.
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
  std::thread thread_;  // last: it uses the others
};

}  // namespace linsep

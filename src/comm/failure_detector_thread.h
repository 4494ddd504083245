// FailureDetectorThread: lets a FailureDetector tick while the worker computes. The only clock of the comm room: it
// decides only when a run is given up.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "comm/failure_detector.h"

namespace linsep {

inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

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
    bool told = false;
    std::unique_lock lock(mutex_);
    while (!stop_) {
      lock.unlock();
      detector_.tick(steady_seconds());
      if (detector_.ended() && !std::exchange(told, true)) on_end_();
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

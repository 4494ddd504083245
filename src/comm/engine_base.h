// What the engines share: rounds that the failure detector watches, and how a run ends.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "comm/failure_detector.h"

namespace linsep {

class EngineBase : public EngineComm {
 public:
  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void abort(const std::string& message) override;
  void finish() override;
  Ending end(const std::string& message, int code) override;

 protected:
  /// The kinds of rounds. They are distinguished so that workers notice when they disagree.
  enum class Round { kReduceDoubles = 1, kReduceWords = 2, kGather = 3 };

  EngineBase(int rank, int size) : rank_(rank), size_(size) {}

  /// Starts the failure detector. `mailbox` must outlive `stop_watch`. `on_end` is as for FailureDetectorThread.
  void start_watch(Mailbox& mailbox, std::vector<std::string> hosts, double timeout, std::function<void()> on_end);
  void stop_watch();
  FailureDetector& detector() { return *detector_; }
  /// Begins a round and returns its number.
  std::uint64_t enter(Round kind, Op op, std::size_t length);
  /// Encodes the kind and length of a round as a number, which is the same on workers that agree.
  static std::uint64_t signature(Round kind, Op op, std::size_t length);
  /// Waits for the failure detector, which may have a better reason than the engine for a failed round. Then throws its
  /// Error or this one.
  [[noreturn]] void fail_round(const std::string& engine_message);
  /// Agrees with the others on who reports why the run ended, as long as messages still come and go. REQUIRES: it has
  /// ended.
  void settle_speaker();

  /// Ends the engine's part of a run in which all workers said goodbye.
  virtual void close() = 0;

 private:
  const int rank_, size_;
  std::uint64_t rounds_ = 0;
  bool settled_ = false;
  std::optional<FailureDetector> detector_;
  std::unique_ptr<FailureDetectorThread> thread_;
};

}  // namespace linsep

#include "comm/engine_base.h"

#include <chrono>
#include <thread>
#include <utility>

#include "linsep/error.h"

namespace linsep {
namespace {

void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }

}  // namespace

void EngineBase::start_watch(Mailbox& mailbox, std::vector<std::string> hosts, double timeout,
                             std::function<void()> on_end) {
  detector_.emplace(mailbox, rank_, std::move(hosts), timeout, steady_seconds());
  thread_ = std::make_unique<FailureDetectorThread>(*detector_, std::move(on_end));
}

void EngineBase::stop_watch() { thread_.reset(); }

std::uint64_t EngineBase::signature(Round kind, Op op, std::size_t length) {
  return static_cast<std::uint64_t>(length) * 16 + static_cast<std::uint64_t>(kind) * 4 +
         static_cast<std::uint64_t>(op);
}

std::uint64_t EngineBase::enter(Round kind, Op op, std::size_t length) {
  detector_->enter(signature(kind, op, length));
  return ++rounds_;
}

void EngineBase::fail_round(const std::string& engine_message) {
  const double deadline = steady_seconds() + 15 * detector_->interval();
  while (!detector_->ended() && steady_seconds() < deadline) pause();
  detector_->report(engine_message);
  detector_->raise();
}

void EngineBase::settle_speaker() {
  if (std::exchange(settled_, true)) return;
  for (int k = 0; k < 200 && detector_->awaits_speaker(); ++k) pause();
  detector_->offer_to_speak();
  // If several fail at once, e.g. because a file is missing everywhere, the first one's message is enough.
  for (int k = 0; rank_ > 0 && k < 60 && detector_->speaks(); ++k) pause();
}

void EngineBase::abort(const std::string& message) {
  detector_->end(message, 4);
  throw system_error(message);
}

void EngineBase::finish() {
  all_gather({});  // every worker has done its work
  detector_->say_goodbye();
  while (!detector_->all_said_goodbye()) {
    if (detector_->ended()) detector_->raise();
    pause();
  }
  stop_watch();
  close();
}

EngineComm::Ending EngineBase::end(const std::string& message, int code) {
  const bool by_itself = detector_->failed_alone();
  if (by_itself) detector_->end(message, code);
  settle_speaker();
  return {detector_->speaks(), detector_->code(), by_itself};
}

}  // namespace linsep

#include "comm/failure_detector.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/bytes.h"
#include "linsep/error.h"

namespace linsep {
namespace {

constexpr int kFewWorkers = 64;  // up to this many, each watches every other
constexpr int kSystemFailure = 4;
constexpr std::size_t kLongestMessage = 1000, kMostNamed = 50;  // a notice is one message

constexpr int kNobody = -1;

enum class Kind : std::uint8_t { kBeat, kNotice, kGoodbye };

std::string message(Kind kind, std::uint64_t round, std::uint64_t signature) {
  ByteWriter writer;
  writer.number(static_cast<std::uint8_t>(kind));
  writer.number(round);
  writer.number(signature);
  return writer.bytes();
}

std::string whole_seconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g second%s", seconds, seconds == 1 ? "" : "s");
  return text;
}

Error::Kind kind_of(int code) {
  if (code == 2) return Error::Kind::kUsage;
  return code == 3 ? Error::Kind::kInput : Error::Kind::kSystem;
}

}  // namespace

std::vector<int> watched_workers(int rank, int size) {
  std::vector<int> watched;
  for (int other = 0; other < size; ++other) {
    const int apart = std::abs(other - rank);
    const bool near = apart == 1 || apart == size - 1;
    if (other != rank && (size <= kFewWorkers || near || other == 0 || rank == 0)) watched.push_back(other);
  }
  return watched;
}

FailureDetector::FailureDetector(Mailbox& mailbox, int rank, std::vector<std::string> hosts, double timeout, double now)
    : mailbox_(mailbox), rank_(rank), hosts_(std::move(hosts)), timeout_(timeout), last_tick_(now), next_beat_(now) {
  for (const int peer : watched_workers(rank, static_cast<int>(hosts_.size()))) peers_.push_back({peer, now, false});
}

std::string worker_name(int rank, const std::string& host) { return std::to_string(rank) + " (" + host + ")"; }

std::string FailureDetector::name(int rank) const { return worker_name(rank, hosts_[static_cast<std::size_t>(rank)]); }

void FailureDetector::enter(std::uint64_t signature) {
  if (ended()) raise();
  const std::scoped_lock lock(mutex_);
  ++round_;
  signature_ = signature;
}

void FailureDetector::raise() const {
  raised_.store(true, std::memory_order_release);
  const std::scoped_lock lock(mutex_);
  throw Error(kind_of(code_), message_);
}

void FailureDetector::end(const std::string& message, int code) {
  const std::scoped_lock lock(mutex_);
  if (ended()) {
    if (speaker_ != kNobody && rank_ < speaker_) {
      speaker_ = rank_;
      write_notice({}, message, code, rank_);
    }
    return;
  }
  conclude({}, message, code, rank_);
}

void FailureDetector::report(const std::string& message) {
  const std::scoped_lock lock(mutex_);
  report({}, message);
}

void FailureDetector::report_forged(int worker) { report(forged_message(worker)); }

std::string FailureDetector::forged_message(int worker) const {
  return "what worker " + name(worker) +
         " sent was altered on its way, so the run was stopped: somebody is between the workers";
}

void FailureDetector::report(const std::vector<int>& named, const std::string& message) {
  conclude(named, message, kSystemFailure, kNobody);
}

bool FailureDetector::awaits_speaker() const {
  const std::scoped_lock lock(mutex_);
  int first = 0;
  while (std::find(named_.begin(), named_.end(), first) != named_.end()) ++first;
  return speaker_ == kNobody && first < rank_;
}

void FailureDetector::offer_to_speak() {
  const std::scoped_lock lock(mutex_);
  if (speaker_ != kNobody) return;
  speaker_ = rank_;
  write_notice(named_, message_, code_, speaker_);
}

bool FailureDetector::speaks() const {
  const std::scoped_lock lock(mutex_);
  return speaker_ == rank_;
}

int FailureDetector::code() const {
  const std::scoped_lock lock(mutex_);
  return code_;
}

void FailureDetector::say_goodbye() {
  const std::scoped_lock lock(mutex_);
  said_goodbye_ = true;
  for (const Peer& peer : peers_) mailbox_.send(peer.rank, message(Kind::kGoodbye, round_, 0));
}

bool FailureDetector::all_said_goodbye() const {
  const std::scoped_lock lock(mutex_);
  return std::all_of(peers_.begin(), peers_.end(), [](const Peer& peer) { return peer.gone; });
}

void FailureDetector::tick(double now) {
  const std::scoped_lock lock(mutex_);
  // While this process didn't run it heard nobody, so that time doesn't count against the others.
  const double asleep = now - last_tick_;
  if (asleep > 2 * interval()) {
    for (Peer& peer : peers_) peer.heard += asleep;
  }
  last_tick_ = now;
  while (const auto received = mailbox_.receive()) take(*received, now);
  if (!ended()) judge(now);
  if (now < next_beat_) return;
  next_beat_ = now + interval();
  write_beats();
}

void FailureDetector::write_beats() {
  for (const Peer& peer : peers_) {
    if (!peer.gone) mailbox_.send(peer.rank, message(Kind::kBeat, round_, signature_));
  }
}

void FailureDetector::take(const Message& received, double now) {
  const auto found =
      std::find_if(peers_.begin(), peers_.end(), [&](const Peer& peer) { return peer.rank == received.from; });
  if (found == peers_.end()) return;
  found->heard = now;
  if (received.closed) {
    if (received.forged) {
      report({}, forged_message(found->rank));
    } else if (!found->gone) {
      report({found->rank}, "worker " + name(found->rank) + " ended unexpectedly, so the run was stopped");
    }
    found->gone = true;
    return;
  }
  read(*found, received.bytes);
}

void FailureDetector::read(Peer& peer, const std::string& bytes) {
  ByteReader reader(bytes);
  const auto kind = static_cast<Kind>(reader.number<std::uint8_t>());
  if (kind == Kind::kNotice) return take_notice(bytes);
  const auto round = reader.number<std::uint64_t>();
  if (kind == Kind::kBeat) take_beat(peer, round, reader.number<std::uint64_t>());
  if (kind == Kind::kGoodbye) {
    peer.gone = true;
    if (round < round_) report({}, "worker " + name(peer.rank) + " left while others were waiting for it");
  }
}

void FailureDetector::take_beat(const Peer& peer, std::uint64_t round, std::uint64_t signature) {
  if (round != round_ || signature == signature_) return;
  report({}, "workers " + name(std::min(rank_, peer.rank)) + " and " + name(std::max(rank_, peer.rank)) +
                 " disagree about the kind or length of round " + std::to_string(round) + "");
}

void FailureDetector::take_notice(const std::string& bytes) {
  ByteReader reader(bytes);
  reader.number<std::uint8_t>();
  const auto speaker = reader.number<std::int32_t>();
  const auto code = reader.number<std::int32_t>();
  const auto named = reader.numbers<int>();
  if (!ended()) return conclude(named, reader.text(), code, speaker);
  if (speaker == kNobody || (speaker_ != kNobody && speaker_ <= speaker)) return;
  speaker_ = speaker;
  if (static_cast<int>(hosts_.size()) > kFewWorkers)
    write_notice(named_, message_, code_, speaker_);  // not all have heard it
}

void FailureDetector::judge(double now) {
  const auto silent = [&](const Peer& peer, double limit) { return !peer.gone && now - peer.heard >= limit; };
  if (std::none_of(peers_.begin(), peers_.end(), [&](const Peer& peer) { return silent(peer, timeout_); })) return;
  // A worker that is cut off hears from nobody. So workers last heard from only a little later are named too.
  std::vector<int> named;
  std::string names;
  for (const Peer& peer : peers_) {
    if (!silent(peer, timeout_ - 2 * interval()) || named.size() == kMostNamed) continue;
    named.push_back(peer.rank);
    names += (names.empty() ? "" : ", ") + name(peer.rank);
  }
  report(named, (named.size() > 1 ? "workers " + names + " have" : "worker " + names + " has") + " not answered for " +
                    whole_seconds(timeout_) + ", so the run was stopped");
}

void FailureDetector::conclude(const std::vector<int>& named, const std::string& message, int code, int speaker) {
  if (ended()) return;
  named_ = named;
  message_ = message.empty() ? "a worker stopped the run" : message.substr(0, kLongestMessage);
  code_ = code;
  speaker_ = speaker;
  write_notice(named_, message_, code_, speaker_);
  ended_.store(true, std::memory_order_release);
}

void FailureDetector::write_notice(const std::vector<int>& named, const std::string& message, int code, int speaker) {
  ByteWriter writer;
  writer.number(static_cast<std::uint8_t>(Kind::kNotice));
  writer.number(static_cast<std::int32_t>(speaker));
  writer.number(static_cast<std::int32_t>(code));
  writer.numbers(named);
  writer.text(message.substr(0, kLongestMessage));
  for (const Peer& peer : peers_) {
    if (!peer.gone) mailbox_.send(peer.rank, writer.bytes());
  }
}

}  // namespace linsep

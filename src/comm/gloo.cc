// The engine Gloo. Its all-reduces (the cube for few numbers and the ring for many) add each piece at one worker and
// pass the result on, so every worker has the same bits. Only Gloo's algorithms are used. They send and receive by
// lines, on which no stranger can be heard, and they never time out. The failure detector decides who has failed.
#include <gloo/allgather.h>
#include <gloo/allgatherv.h>
#include <gloo/allreduce.h>
#include <gloo/common/error.h>
#include <gloo/context.h>
#include <gloo/transport/context.h>
#include <gloo/transport/pair.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <limits>
#include <list>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "comm/door.h"
#include "comm/engine_base.h"
#include "comm/line.h"
#include "comm/module.h"
#include "comm/socket_mailbox.h"
#include "core/bytes.h"
#include "linsep/error.h"
#include "os/process.h"
#include "os/socket.h"

namespace linsep {
namespace {

constexpr std::size_t kFew = 32768;  // up to this many numbers, steps cost more than transport

/// What a worker sends the others when they meet. It is secret.
struct Card {
  std::string host, invitation;

  std::string to_bytes(int rank) const {
    ByteWriter writer;
    writer.number(static_cast<std::int32_t>(rank));
    writer.text(host);
    writer.text(invitation);
    return writer.bytes();
  }
  static Card from_bytes(const std::string& bytes, std::size_t rank) {
    ByteReader reader(bytes);
    if (reader.number<std::int32_t>() != static_cast<std::int32_t>(rank)) {
      throw system_error("the rendezvous did not return workers in rank order, or two workers have the same rank");
    }
    Card card;
    card.host = reader.text();
    card.invitation = reader.text();
    return card;
  }
};

/// Thrown if what arrives isn't what the worker has sent.
class Forged : public std::runtime_error {
 public:
  explicit Forged(int from) : std::runtime_error("forged"), worker(from) {}
  const int worker;
};

/// Gloo's algorithms only check that there is a pair, and send by buffers alone.
class NoPair : public ::gloo::transport::Pair {
 public:
  const ::gloo::transport::Address& address() const override { refuse(); }
  void connect(const std::vector<char>& /*bytes*/) override { refuse(); }
  void close() override {}
  void setSync(bool /*enable*/, bool /*busy_poll*/) override {}
  std::unique_ptr<::gloo::transport::Buffer> createSendBuffer(int /*slot*/, void* /*ptr*/, std::size_t /*n*/) override {
    refuse();
  }
  std::unique_ptr<::gloo::transport::Buffer> createRecvBuffer(int /*slot*/, void* /*ptr*/, std::size_t /*n*/) override {
    refuse();
  }
  void send(::gloo::transport::UnboundBuffer* /*from*/, std::uint64_t /*tag*/, std::size_t /*offset*/,
            std::size_t /*n*/) override {
    refuse();
  }
  void recv(::gloo::transport::UnboundBuffer* /*to*/, std::uint64_t /*tag*/, std::size_t /*offset*/,
            std::size_t /*n*/) override {
    refuse();
  }

 private:
  [[noreturn]] static void refuse() { throw std::logic_error("an algorithm of Gloo that needs its own connections"); }
};

/// Carries Gloo's buffers to the other workers. The thread that calls an algorithm does all the work whenever the
/// algorithm waits.
class Transport : public ::gloo::transport::Context {
 public:
  /// `lines` are by rank, and this worker's own place is empty.
  Transport(int own, std::vector<std::optional<Line>> lines)
      : Context(own, static_cast<int>(lines.size())), peers_(lines.size()) {
    for (std::size_t other = 0; other < lines.size(); ++other) {
      if (!lines[other]) continue;
      peers_[other].line = std::move(lines[other]);
      pairs_[other] = std::make_unique<NoPair>();
    }
  }

  std::unique_ptr<::gloo::transport::Pair>& createPair(int other) override { return getPair(other); }
  std::unique_ptr<::gloo::transport::UnboundBuffer> createUnboundBuffer(void* data, std::size_t bytes) override {
    return std::make_unique<Buffer>(*this, data, bytes);
  }
  /// Called from another thread. Makes every wait throw, now and later.
  void break_off() { broken_off_ = true; }

 private:
  class Buffer : public ::gloo::transport::UnboundBuffer {
   public:
    Buffer(Transport& transport, void* data, std::size_t bytes) : UnboundBuffer(data, bytes), transport_(transport) {}

    void send(int to, std::uint64_t slot, std::size_t offset, std::size_t bytes) override {
      transport_.send(to, slot, {at(offset), length(offset, bytes)}, sent_);
    }
    void recv(int from, std::uint64_t slot, std::size_t offset, std::size_t bytes) override {
      transport_.receive(from, {slot, at(offset), length(offset, bytes), &received_});
    }
    void recv(std::vector<int> from, std::uint64_t slot, std::size_t offset, std::size_t bytes) override {
      if (from.size() != 1) throw std::logic_error("an algorithm of Gloo that receives from any worker");
      recv(from[0], slot, offset, bytes);
    }
    bool waitSend(int* /*to*/, std::chrono::milliseconds /*timeout*/) override { return wait_for(sent_); }
    bool waitRecv(int* /*from*/, std::chrono::milliseconds /*timeout*/) override { return wait_for(received_); }
    void abortWaitSend() override {}
    void abortWaitRecv() override {}

   private:
    char* at(std::size_t offset) const { return static_cast<char*>(ptr) + offset; }
    std::size_t length(std::size_t offset, std::size_t bytes) const {
      return bytes == kUnspecifiedByteCount ? size - offset : bytes;
    }
    bool wait_for(int& done) {
      transport_.work_until([&] { return done > 0; });
      --done;
      return true;
    }

    Transport& transport_;
    int sent_ = 0, received_ = 0;  // finished, but not waited for yet
  };

  struct Expected {
    std::uint64_t slot = 0;
    char* to = nullptr;
    std::size_t length = 0;
    int* done = nullptr;
  };
  /// A letter that arrived before it was expected, while another was expected.
  struct Early {
    std::uint64_t slot = 0;
    std::vector<char> bytes;
    bool whole = false;
  };
  struct Peer {
    std::optional<Line> line;
    std::deque<int*> sending;  // by letter, the counts to raise when it is finished
    std::deque<Expected> expected;
    std::list<Early> early;
    bool begun = false;           // whether a letter is being read, which …
    std::optional<Expected> now;  // … is this expected one, or else the last of the early ones
  };

  void send(int to, std::uint64_t slot, std::string_view bytes, int& done) {
    Peer& peer = peers_[static_cast<std::size_t>(to)];
    peer.line->send(slot, bytes);
    peer.sending.push_back(&done);
    write(peer);
  }

  void receive(int from, const Expected& expected) {
    Peer& peer = peers_[static_cast<std::size_t>(from)];
    const auto found = std::find_if(peer.early.begin(), peer.early.end(),
                                    [&](const Early& early) { return early.whole && early.slot == expected.slot; });
    if (found == peer.early.end()) {
      peer.expected.push_back(expected);
      return;
    }
    hand_over(*found, expected);
    peer.early.erase(found);
  }

  static void check_length(std::uint64_t length, const Expected& expected) {
    if (length != expected.length) throw std::runtime_error("workers disagree about a length");
  }

  template <class Done>
  void work_until(const Done& done) {
    constexpr int kTick = 20;  // milliseconds between checks whether the run has ended
    for (;;) {
      for (std::size_t other = 0; other < peers_.size(); ++other) {
        Peer& peer = peers_[other];
        if (!peer.line) continue;
        write(peer);
        read(peer, static_cast<int>(other));
      }
      if (done()) return;
      if (broken_off_) throw std::runtime_error("the run has ended");
      wait(kTick);
    }
  }

  void wait(int milliseconds) {
    waiting_.clear();
    for (const Peer& peer : peers_) {
      if (!peer.line) continue;
      if (peer.line->is_writing()) waiting_.push_back({&peer.line->socket(), true});
      if (peer.begun || !peer.expected.empty()) waiting_.push_back({&peer.line->socket(), false});
    }
    wait_for_any(waiting_, milliseconds);
  }

  static void write(Peer& peer) {
    for (std::size_t finished = peer.line->write(); finished > 0; --finished) {
      ++*peer.sending.front();
      peer.sending.pop_front();
    }
  }

  /// Reads only if something is expected. So whatever a worker sends ahead waits on its side and takes no memory here.
  void read(Peer& peer, int other) {
    while (peer.begun || !peer.expected.empty()) {
      switch (peer.line->read()) {
        case Line::Event::kNothing:
          return;
        case Line::Event::kTopic:
          begin(peer);
          break;
        case Line::Event::kLetter:
          finish(peer);
          break;
        case Line::Event::kClosed:
          throw std::runtime_error("the connection to worker " + std::to_string(other) + " was cut");
        case Line::Event::kForged:
          throw Forged(other);
      }
    }
  }

  static void begin(Peer& peer) {
    Line& line = *peer.line;
    peer.begun = true;
    const auto found = std::find_if(peer.expected.begin(), peer.expected.end(),
                                    [&](const Expected& expected) { return expected.slot == line.topic(); });
    if (found == peer.expected.end()) {
      peer.early.push_back({line.topic(), std::vector<char>(line.length()), false});
      return line.take_into(peer.early.back().bytes.data());
    }
    check_length(line.length(), *found);
    peer.now = *found;
    peer.expected.erase(found);
    line.take_into(peer.now->to);
  }

  static void finish(Peer& peer) {
    peer.begun = false;
    if (peer.now) {
      ++*peer.now->done;
      peer.now.reset();
      return;
    }
    Early& early = peer.early.back();
    early.whole = true;
    const auto found = std::find_if(peer.expected.begin(), peer.expected.end(),
                                    [&](const Expected& expected) { return expected.slot == early.slot; });
    if (found == peer.expected.end()) return;  // else it was requested while it arrived
    hand_over(early, *found);
    peer.expected.erase(found);
    peer.early.pop_back();
  }

  static void hand_over(const Early& early, const Expected& expected) {
    check_length(early.bytes.size(), expected);
    std::copy(early.bytes.begin(), early.bytes.end(), expected.to);
    ++*expected.done;
  }

  std::vector<Peer> peers_;
  std::vector<Waiting> waiting_;
  std::atomic<bool> broken_off_ = false;
};

class LineContext : public ::gloo::Context {
 public:
  explicit LineContext(std::shared_ptr<Transport> transport) : Context(transport->rank, transport->size) {
    transportContext_ = std::move(transport);
  }
};

template <class T, class Combine>
void combine_all(void* out, const void* a, const void* b, std::size_t count, const Combine& combine) {
  auto* to = static_cast<T*>(out);
  const auto *x = static_cast<const T*>(a), *y = static_cast<const T*>(b);
  for (std::size_t i = 0; i < count; ++i) to[i] = combine(x[i], y[i]);
}

template <class T>
::gloo::AllreduceOptions::Func reducer(Comm::Op op) {
  // Sums of integers wrap, as unsigned ones do.
  using Sum = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;
  switch (op) {
    case Comm::Op::kMax:
      return [](void* out, const void* a, const void* b, std::size_t n) {
        combine_all<T>(out, a, b, n, [](T x, T y) { return std::max(x, y); });
      };
    case Comm::Op::kOr:
      if constexpr (std::is_integral_v<T>) {
        return [](void* out, const void* a, const void* b, std::size_t n) {
          combine_all<T>(out, a, b, n, [](T x, T y) { return x | y; });
        };
      }
      throw usage_error("doubles have no bitwise or");
    default:
      return [](void* out, const void* a, const void* b, std::size_t n) {
        combine_all<Sum>(out, a, b, n, [](Sum x, Sum y) { return x + y; });
      };
  }
}

class GlooComm : public EngineBase {
 public:
  GlooComm(const GlooOptions& options, const AllGather& rendezvous) : EngineBase(options.rank, options.size) {
    // A worker that is alone listens to nobody.
    const std::vector<std::string> hosts =
        size() > 1 ? connect(options, rendezvous) : std::vector<std::string>{host_name()};
    start_watch(mailbox_, hosts, options.timeout_seconds, [this] {
      if (transport_) transport_->break_off();
    });
    all_gather({});  // nobody continues, or fails, until all are connected
  }
  ~GlooComm() override { stop_watch(); }

  void all_reduce(std::span<double> data, Op op) override { reduce(data, op, Round::kReduceDoubles); }
  void all_reduce(std::span<std::int64_t> data, Op op) override { reduce(data, op, Round::kReduceWords); }

  std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> data) override {
    const std::uint64_t round = enter(Round::kGather, Op::kSum, 0);
    const auto workers = static_cast<std::size_t>(size());
    std::vector<std::uint64_t> sizes(workers);
    std::uint64_t mine = data.size();
    std::vector<std::vector<std::byte>> all(workers);
    if (workers == 1) return {{data.begin(), data.end()}};
    guarded([&] {
      ::gloo::AllgatherOptions options(context_);
      options.setInput(&mine, 1);
      options.setOutput(sizes.data(), workers);
      options.setTag(tag(round, 8));
      ::gloo::allgather(options);
    });
    const std::uint64_t total = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
    if (total == 0) return all;
    std::vector<std::byte> joined(total);
    guarded([&] {
      // Gloo takes its input, which it only reads, by a pointer to non-const.
      std::vector<std::byte> own(data.begin(), data.end());
      own.resize(std::max<std::size_t>(own.size(), 1));
      ::gloo::AllgathervOptions options(context_);
      options.setInput(own.data(), data.size());
      options.setOutput(joined.data(), std::vector<std::size_t>(sizes.begin(), sizes.end()));
      options.setTag(tag(round, total));
      ::gloo::allgatherv(options);
    });
    const std::byte* from = joined.data();
    for (std::size_t k = 0; k < workers; ++k) {
      all[k].assign(from, from + sizes[k]);
      from += sizes[k];
    }
    return all;
  }

  // The process may continue, so nothing is left to do but close the connections, and the destructor does that.
  void abandon(const Ending& /*ending*/) override {}

 private:
  void close() override {}

  std::vector<Card> meet(const Card& mine, const AllGather& rendezvous) const {
    const std::vector<std::string> all = rendezvous(mine.to_bytes(rank()));
    const auto workers = static_cast<std::size_t>(size());
    if (all.size() != workers) throw system_error("the rendezvous returned a wrong number of workers");
    std::vector<Card> cards;
    for (std::size_t k = 0; k < workers; ++k) cards.push_back(Card::from_bytes(all[k], k));
    return cards;
  }

  /// Connects the workers and returns their hosts.
  std::vector<std::string> connect(const GlooOptions& options, const AllGather& rendezvous) {
    Door door(local_address(options.interface), options.ports);
    std::vector<std::string> hosts, invitations;
    for (Card& card : meet({host_name(), door.invitation()}, rendezvous)) {
      hosts.push_back(std::move(card.host));
      invitations.push_back(std::move(card.invitation));
    }
    std::vector<Door::Wanted> wanted;
    for (const int other : watched_workers(rank(), size())) wanted.push_back({other, Door::Use::kSignsOfLife});
    for (int other = 0; other < size(); ++other) {
      if (other != rank()) wanted.push_back({other, Door::Use::kNumbers});
    }
    std::vector<Line> lines = door.connect(rank(), wanted, invitations, hosts, options.timeout_seconds);
    std::vector<std::optional<Line>> numbers(hosts.size());
    for (std::size_t k = 0; k < lines.size(); ++k) {
      if (wanted[k].use == Door::Use::kSignsOfLife) {
        mailbox_.add(wanted[k].other, std::move(lines[k]));
      } else {
        numbers[static_cast<std::size_t>(wanted[k].other)] = std::move(lines[k]);
      }
    }
    transport_ = std::make_shared<Transport>(rank(), std::move(numbers));
    context_ = std::make_shared<LineContext>(transport_);
    return hosts;
  }

  // Workers that disagree about a length don't meet. The failure detector finds out, and has a better message for it.
  static std::uint32_t tag(std::uint64_t round, std::uint64_t length) {
    std::uint64_t mixed = (round * 0x9E3779B97F4A7C15U) ^ (length * 0xC2B2AE3D27D4EB4FU);
    mixed ^= mixed >> 29;
    return static_cast<std::uint32_t>((mixed * 0xBF58476D1CE4E5B9U) >> 32);
  }

  template <class T>
  void reduce(std::span<T> data, Op op, Round kind) {
    const std::uint64_t round = enter(kind, op, data.size());
    const auto function = reducer<T>(op);
    if (data.empty() || size() == 1) return;
    guarded([&] {
      ::gloo::AllreduceOptions options(context_);
      using Algorithm = ::gloo::AllreduceOptions::Algorithm;
      options.setAlgorithm(data.size() <= kFew ? Algorithm::BCUBE : Algorithm::RING);
      options.setOutput(data.data(), data.size());
      options.setReduceFunction(function);
      options.setTag(tag(round, data.size() * 4 + static_cast<std::uint64_t>(op)));
      ::gloo::allreduce(options);
    });
  }

  template <class Call>
  void guarded(const Call& call) {
    try {
      call();
    } catch (const Forged& forged) {
      detector().report_forged(forged.worker);
      detector().raise();
    } catch (const std::exception& error) {
      fail_round(std::string("Gloo: ") + error.what());
    }
    if (detector().ended()) detector().raise();
  }

  SocketMailbox mailbox_;
  std::shared_ptr<Transport> transport_;
  std::shared_ptr<::gloo::Context> context_;
};

}  // namespace

}  // namespace linsep

extern "C" {
const char* linsep_engine_version() { return LINSEP_ENGINE_VERSION; }
linsep::EngineComm* linsep_engine_gloo(const linsep::GlooOptions& options, const linsep::AllGather& rendezvous) {
  if (options.size < 1 || options.rank < 0 || options.rank >= options.size) {
    throw linsep::usage_error("a worker's rank must be a number from 0 to one less than the number of workers");
  }
  return new linsep::GlooComm(options, rendezvous);
}
}

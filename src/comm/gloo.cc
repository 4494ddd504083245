// The engine Gloo. Its all-reduces, the cube for few numbers and the ring for many, add each piece at one worker and
// pass the result on, so every worker has the same bits. Gloo itself never times out here: the failure detector
// decides who has failed.
#include <gloo/allgather.h>
#include <gloo/allgatherv.h>
#include <gloo/allreduce.h>
#include <gloo/common/error.h>
#include <gloo/context.h>
#include <gloo/transport/address.h>
#include <gloo/transport/context.h>
#include <gloo/transport/pair.h>
#include <gloo/transport/tcp/device.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <limits>
#include <memory>
#include <numeric>
#include <thread>

#include "comm/engine_base.h"
#include "comm/module.h"
#include "comm/socket_mailbox.h"
#include "core/bytes.h"
#include "linsep/error.h"
#include "os/process.h"

namespace linsep {
namespace {

using Milliseconds = std::chrono::milliseconds;

constexpr std::size_t kFew = 32768;  // up to this many numbers, steps cost more than transport

// Gloo listens for each of the others at the device's address, which has no port, so the system chooses one. Where
// ports are given, each is put into that address beforehand.
class PortedDevice : public ::gloo::transport::tcp::Device {
 public:
  using Attributes = ::gloo::transport::tcp::attr;
  using ::gloo::transport::tcp::Device::Device;

  void use_port(int port) {
    Attributes next = attr_;
    const Address address{{reinterpret_cast<const char*>(&next.ai_addr), static_cast<std::size_t>(next.ai_addrlen)}};
    const std::string bytes = address.with_port(port).bytes;
    std::memcpy(&next.ai_addr, bytes.data(), bytes.size());
    // The attributes are a constant member: they can only be made anew in their place.
    auto* const place = const_cast<Attributes*>(&attr_);
    std::destroy_at(place);
    std::construct_at(place, next);
  }
};

/// What a worker tells the others when they meet.
struct Card {
  std::string host, invitation;        ///< the latter to the failure detector's connections
  std::vector<std::string> addresses;  ///< where Gloo listens for each of the others; its own is empty

  std::string to_bytes(int rank) const {
    ByteWriter writer;
    writer.number(static_cast<std::int32_t>(rank));
    writer.text(host);
    writer.text(invitation);
    for (const std::string& address : addresses) writer.text(address);
    return writer.bytes();
  }
  static Card from_bytes(const std::string& bytes, std::size_t rank, std::size_t size) {
    ByteReader reader(bytes);
    if (reader.number<std::int32_t>() != static_cast<std::int32_t>(rank)) {
      throw system_error("the rendezvous did not return workers in rank order, or two workers have the same rank");
    }
    Card card;
    card.host = reader.text();
    card.invitation = reader.text();
    for (std::size_t k = 0; k < size; ++k) card.addresses.push_back(reader.text());
    return card;
  }
};

// A connection to each of the others. Connecting has a limit; what comes after has none. Some operations take theirs
// from the context, some from the transport below, which keeps what it was made with.
class MeshContext : public ::gloo::Context {
 public:
  MeshContext(const GlooOptions& options, const std::shared_ptr<PortedDevice>& device)
      : Context(options.rank, options.size), next_port_(options.ports.first), ports_(options.ports) {
    setTimeout(Milliseconds(static_cast<std::int64_t>(options.timeout_seconds * 1000)));
    device_ = device;
    transportContext_ = device->createContext(rank, size);
    transportContext_->setTimeout(getTimeout());
  }

  /// Where this worker listens for each of the others.
  std::vector<std::string> listen(PortedDevice& device) {
    std::vector<std::string> addresses(static_cast<std::size_t>(size));
    for (int other = 0; other < size; ++other) {
      if (other == rank) continue;
      const std::vector<char> bytes = listen_for(other, device).address().bytes();
      addresses[static_cast<std::size_t>(other)] = {bytes.begin(), bytes.end()};
    }
    return addresses;
  }
  /// In the same order on all, so that two always wait for each other.
  void connect(const std::vector<Card>& cards) {
    for (int other = 0; other < size; ++other) {
      if (other == rank) continue;
      const std::string& address = cards[static_cast<std::size_t>(other)].addresses[static_cast<std::size_t>(rank)];
      transportContext_->getPair(other)->connect({address.begin(), address.end()});
    }
  }
  void wait_for_ever() {
    constexpr auto kAges = std::chrono::hours(24 * 365);
    setTimeout(kAges);
    transportContext_->setTimeout(kAges);
  }

 private:
  ::gloo::transport::Pair& listen_for(int other, PortedDevice& device) {
    if (ports_.last == 0) return *transportContext_->createPair(other);
    for (; next_port_ <= ports_.last; ++next_port_) {
      device.use_port(next_port_);
      try {
        ::gloo::transport::Pair& pair = *transportContext_->createPair(other);
        ++next_port_;
        return pair;
      } catch (const ::gloo::Exception&) {
        continue;  // somebody else has the port
      }
    }
    throw system_error("too few ports from " + std::to_string(ports_.first) + " to " + std::to_string(ports_.last) +
                       " are free: every worker needs one for each of the others, and one more");
  }

  int next_port_;
  const PortRange ports_;
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
  GlooComm(const GlooOptions& options, const AllGather& rendezvous)
      : EngineBase(options.rank, options.size), mailbox_(local_address(options.interface), options.ports) {
    if (options.size == 1) {  // a context of one has no transport
      start_watch(mailbox_, {host_name()}, options.timeout_seconds, [] {});
      return;
    }
    const QuietPipes quiet;  // a write to a worker that is gone is an error
    const std::string address = local_address(options.interface).text();
    const auto device = std::make_shared<PortedDevice>(::gloo::transport::tcp::CreateDeviceAttr(address.c_str()));
    const auto context = std::make_shared<MeshContext>(options, device);
    std::vector<std::string> hosts;
    try {
      const Card mine{host_name(), mailbox_.invitation(), context->listen(*device)};
      const std::vector<Card> cards = meet(mine, rendezvous);
      std::vector<std::string> invitations;
      for (const Card& card : cards) {
        hosts.push_back(card.host);
        invitations.push_back(card.invitation);
      }
      mailbox_.connect(options.rank, invitations, hosts, options.timeout_seconds);
      context->connect(cards);
    } catch (const ::gloo::Exception& error) {
      throw unconnected(hosts, error.what());
    }
    context->wait_for_ever();
    context_ = context;
    start_watch(mailbox_, hosts, options.timeout_seconds, [this] { break_off(); });
    all_gather({});  // nobody continues, or fails, before all are connected
  }
  ~GlooComm() override {
    const QuietPipes quiet;  // a write to a worker that is gone is an error
    stop_watch();
    if (context_) context_->closeConnections();
  }

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
      // Gloo takes its input, which it only reads, as a pointer to non-const.
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

  // The process may continue: closing the connections is all there is to do, and the destructor does it.
  void abandon(const Ending& /*ending*/) override {}

 private:
  void close() override {}

  std::vector<Card> meet(const Card& mine, const AllGather& rendezvous) const {
    const std::vector<std::string> all = rendezvous(mine.to_bytes(rank()));
    const auto workers = static_cast<std::size_t>(size());
    if (all.size() != workers) throw system_error("the rendezvous returned a wrong number of workers");
    std::vector<Card> cards;
    for (std::size_t k = 0; k < workers; ++k) cards.push_back(Card::from_bytes(all[k], k, workers));
    return cards;
  }

  // Gloo can't connect: because a worker has ended, as the failure detector's connections tell, or else for Gloo's own
  // reason.
  Error unconnected(const std::vector<std::string>& hosts, const std::string& reason) {
    for (const double deadline = steady_seconds() + 1; steady_seconds() < deadline;) {
      while (const auto message = mailbox_.receive()) {
        const std::string name = worker_name(message->from, hosts[static_cast<std::size_t>(message->from)]);
        if (message->closed) return system_error("worker " + name + " ended before all workers were connected");
      }
      std::this_thread::sleep_for(Milliseconds(5));
    }
    return system_error("the workers can't connect: " + reason);
  }

  // Workers that disagree about a length must not meet: a message for a smaller buffer would end the process.
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
    const QuietPipes quiet;  // a write to a worker that is gone is an error
    try {
      call();
    } catch (const std::exception& error) {
      fail_round(std::string("Gloo: ") + error.what());
    }
    if (detector().ended()) detector().raise();
  }

  // A wait that times out makes Gloo fail every operation of the context, also that of the thread that computes. One
  // for a worker that has ended fails at once and does nothing to the rest: the thread may wait for any of the others.
  void break_off() {
    for (int other = 0; other < size(); ++other) {
      if (other == rank()) continue;
      try {
        char byte = 0;
        const auto buffer = context_->createUnboundBuffer(&byte, 1);
        buffer->recv(other, std::numeric_limits<std::uint64_t>::max());
        buffer->waitRecv(Milliseconds(1));
      } catch (const std::exception&) {
        continue;  // as meant
      }
    }
  }

  SocketMailbox mailbox_;
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

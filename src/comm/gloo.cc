// The engine Gloo. Its all-reduces, the cube for few numbers and the ring for many, add each piece at one worker and
// pass the result on, so every worker has the same bits. Gloo itself never times out here: the failure detector
// decides who has failed.
#include <gloo/allgather.h>
#include <gloo/allgatherv.h>
#include <gloo/allreduce.h>
#include <gloo/rendezvous/context.h>
#include <gloo/transport/context.h>
#include <gloo/transport/tcp/device.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <limits>
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

// Gloo asks a store for the addresses of the others; the first such request is the one rendezvous. It also carries
// what the failure detector needs.
class GatherStore : public ::gloo::rendezvous::Store {
 public:
  /// When all have met, the failure detector's connections are made.
  GatherStore(const GlooOptions& options, SocketMailbox& mailbox, const AllGather& rendezvous)
      : options_(options), mailbox_(mailbox), rendezvous_(rendezvous) {}

  void set(const std::string& key, const std::vector<char>& data) override {
    if (!is_host_key(key)) mine_.assign(data.begin(), data.end());
  }
  std::vector<char> get(const std::string& key) override {
    if (is_host_key(key)) return {'?'};
    meet();
    const std::string& found = addresses_.at(static_cast<std::size_t>(std::stoi(key)));
    return {found.begin(), found.end()};
  }
  void wait(const std::vector<std::string>& /*keys*/) override { meet(); }
  void wait(const std::vector<std::string>& /*keys*/, const Milliseconds& /*timeout*/) override { meet(); }

  const std::vector<std::string>& hosts() const { return hosts_; }

 private:
  // Host names, which Gloo wants for a number that nobody uses.
  static bool is_host_key(const std::string& key) { return key.starts_with("rank_"); }

  void meet() {
    if (!addresses_.empty()) return;
    ByteWriter writer;
    writer.number(static_cast<std::int32_t>(options_.rank));
    writer.text(host_name());
    writer.text(mailbox_.invitation());
    writer.text(mine_);
    const std::vector<std::string> all = rendezvous_(writer.bytes());
    const auto size = static_cast<std::size_t>(options_.size);
    if (all.size() != size) throw system_error("the rendezvous returned a wrong number of workers");
    std::vector<std::string> invitations;
    for (std::size_t k = 0; k < size; ++k) {
      ByteReader reader(all[k]);
      if (reader.number<std::int32_t>() != static_cast<std::int32_t>(k)) {
        throw system_error("the rendezvous did not return workers in rank order, or two workers have the same rank");
      }
      hosts_.push_back(reader.text());
      invitations.push_back(reader.text());
      addresses_.push_back(reader.text());
    }
    mailbox_.connect(options_.rank, invitations, hosts_, options_.timeout_seconds);
  }

  const GlooOptions& options_;
  SocketMailbox& mailbox_;
  const AllGather& rendezvous_;
  std::string mine_;
  std::vector<std::string> hosts_, addresses_;
};

// Connecting has a limit; what comes after has none. Some operations take theirs from the context, some from the
// transport below, which keeps what it was made with.
class PatientContext : public ::gloo::rendezvous::Context {
 public:
  using ::gloo::rendezvous::Context::Context;
  void wait_for_ever() {
    constexpr auto kAges = std::chrono::hours(24 * 365);
    setTimeout(kAges);
    transportContext_->setTimeout(kAges);
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
  GlooComm(const GlooOptions& options, const AllGather& rendezvous)
      : EngineBase(options.rank, options.size), mailbox_(local_address(options.interface)) {
    if (options.size == 1) {  // a context of one has no transport
      start_watch(mailbox_, {host_name()}, options.timeout_seconds, [] {});
      return;
    }
    const QuietPipes quiet;  // a write to a worker that is gone is an error
    GatherStore store(options, mailbox_, rendezvous);
    const std::string address = local_address(options.interface).text();
    std::shared_ptr<::gloo::transport::Device> device = ::gloo::transport::tcp::CreateDevice(address.c_str());
    const auto context = std::make_shared<PatientContext>(options.rank, options.size);
    context->setTimeout(Milliseconds(static_cast<std::int64_t>(options.timeout_seconds * 1000)));
    try {
      context->connectFullMesh(store, device);
    } catch (const ::gloo::Exception& error) {
      throw unconnected(store.hosts(), error.what());
    }
    context->wait_for_ever();
    context_ = context;
    start_watch(mailbox_, store.hosts(), options.timeout_seconds, [this] { break_off(); });
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

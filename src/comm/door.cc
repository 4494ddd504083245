#include "comm/door.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <list>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "comm/failure_detector.h"
#include "core/bytes.h"
#include "linsep/error.h"
#include "os/process.h"

namespace linsep {
namespace {

constexpr std::size_t kMostCallers = 256;  // strangers who call and stay silent: beyond this, the first one has to go
constexpr double kPause = 0.1;             // seconds before a call that was cut off is made again
constexpr int kTick = 50;                  // milliseconds between checks for workers that have ended

/// The first port of the range that is free.
Socket listening_within(const Address& address, const PortRange& ports) {
  for (int port = ports.first; port < ports.last; ++port) {
    try {
      return Socket::listening(address.with_port(port));
    } catch (const Error&) {
      continue;  // the port is taken
    }
  }
  try {
    return Socket::listening(ports.last == 0 ? address : address.with_port(ports.last));
  } catch (const Error& error) {
    if (ports.last == 0) throw;
    throw system_error("no port from " + std::to_string(ports.first) + " to " + std::to_string(ports.last) +
                       " is free (" + error.what() + ")");
  }
}

SipBits drawn() {
  SipBits bits;
  fill_randomly(bits.data(), sizeof bits);
  return bits;
}

template <class T>
std::string_view bytes_of(const T& value) {
  static_assert(std::has_unique_object_representations_v<T>);
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// The messages, in this order:
struct Hello {  // by the caller
  char version[8] = {'l', 'i', 'n', 's', 'e', 'p', ' ', '1'};
  std::int32_t from = 0, to = 0;
  std::uint64_t use = 0;
  SipBits number = {};  // drawn by the caller
};
struct Answer {  // by the called
  SipBits number = {};
  SipBits proof = {};
};
using Proof = SipBits;  // by the caller

/// What both sides know by then, and what follows from it for those who know the secret.
struct Talk {
  Hello hello;
  SipBits number = {};  // drawn by the called

  SipBits under(const SipBits& secret, std::uint64_t purpose) const {
    return SipHash(secret).add(purpose).add(bytes_of(hello)).add(bytes_of(number)).finish();
  }
};
constexpr std::uint64_t kProofOfCalled = 1, kProofOfCaller = 2, kKeyToCalled = 3, kKeyToCaller = 4;

/// A connection that isn't a line yet, and what has arrived of the message that is due.
struct Begun {
  Socket socket;
  Talk talk;
  std::size_t got = 0;
  char bytes[std::max(sizeof(Hello), sizeof(Answer))] = {};

  enum class Part { kMore, kWhole, kClosed };
  template <class T>
  Part receive(T& message) {
    while (got < sizeof message) {
      const Socket::Received received = socket.receive({bytes + got, sizeof message - got});
      if (received.closed) return Part::kClosed;
      if (received.size == 0) return Part::kMore;
      got += received.size;
    }
    got = 0;
    std::memcpy(&message, bytes, sizeof message);
    return Part::kWhole;
  }
  template <class T>
  bool send(const T& message) const {
    return socket.send(bytes_of(message)) == sizeof message;
  }
};

/// A worker, or a stranger, that calls here.
struct Caller : Begun {
  bool answered = false;
};

/// A call to another worker.
struct Call : Begun {
  std::size_t place = 0;  // index of the wanted line
  bool connected = false;
  double again = 0;  // when to try again, if the call isn't under way
};

class Connecting {
 public:
  Connecting(const Socket& listener, int rank, const std::vector<Door::Wanted>& wanted,
             const std::vector<std::string>& invitations, const std::vector<std::string>& hosts)
      : listener_(listener), rank_(rank), wanted_(wanted), hosts_(hosts), lines_(wanted.size()) {
    for (const std::string& invitation : invitations) {
      ByteReader reader(invitation);
      secret_[0] ^= reader.number<std::uint64_t>();
      secret_[1] ^= reader.number<std::uint64_t>();
      addresses_.push_back({reader.text()});
    }
    for (std::size_t place = 0; place < wanted.size(); ++place) {
      if (wanted[place].other < rank) {
        calls_.emplace_back();
        calls_.back().place = place;
      }
    }
  }

  std::vector<Line> until(double deadline) {
    for (;;) {
      const auto missing = std::find(lines_.begin(), lines_.end(), std::nullopt);
      if (missing == lines_.end()) break;
      const double now = steady_seconds();
      if (now >= deadline) throw system_error("worker " + name(missing - lines_.begin()) + " didn't connect in time");
      for (Call& call : calls_) {
        if (!call.socket.is_open() && now >= call.again) begin(call);
      }
      wait();
      accept();
      callers_.remove_if([&](Caller& caller) { return hear(caller); });
      calls_.remove_if([&](Call& call) { return hear(call); });
      look_for_ended();
    }
    std::vector<Line> all;
    for (std::optional<Line>& line : lines_) all.push_back(*std::move(line));
    return all;
  }

 private:
  template <class Place>
  std::string name(Place place) const {
    const int other = wanted_[static_cast<std::size_t>(place)].other;
    return worker_name(other, hosts_[static_cast<std::size_t>(other)]);
  }

  Error unreachable(const Call& call, int error) const {
    return system_error("worker " + name(call.place) + " can't be reached: " + std::generic_category().message(error));
  }

  void begin(Call& call) {
    const Door::Wanted& wanted = wanted_[call.place];
    int error = 0;
    call.socket = Socket::connecting(addresses_[static_cast<std::size_t>(wanted.other)], error);
    if (error != 0) throw unreachable(call, error);
    call.talk.hello.from = rank_;
    call.talk.hello.to = wanted.other;
    call.talk.hello.use = static_cast<std::uint64_t>(wanted.use);
    call.talk.hello.number = drawn();
    call.connected = false;
    call.got = 0;
  }

  /// Returns true once the call's line is there. A call that was cut off is made again.
  bool hear(Call& call) {
    if (!call.socket.is_open()) return false;
    const auto anew = [&] {
      call.socket.close();
      call.again = steady_seconds() + kPause;
      return false;
    };
    if (!call.connected) {
      if (!call.socket.wait_to_write(0)) return false;
      if (const int error = call.socket.connect_error(); error != 0) {
        if (error == ECONNRESET) return anew();
        throw unreachable(call, error);
      }
      call.connected = true;
      if (!call.send(call.talk.hello)) return anew();
    }
    Answer answer;
    const Begun::Part part = call.receive(answer);
    if (part == Begun::Part::kClosed) return anew();
    if (part == Begun::Part::kMore) return false;
    call.talk.number = answer.number;
    if (answer.proof != call.talk.under(secret_, kProofOfCalled)) {
      throw system_error("what answers at the address of worker " + name(call.place) +
                         " doesn't know this run's secret: it isn't that worker, or something alters what they say");
    }
    if (!call.send(call.talk.under(secret_, kProofOfCaller))) return anew();
    lines_[call.place].emplace(std::move(call.socket), call.talk.under(secret_, kKeyToCalled),
                               call.talk.under(secret_, kKeyToCaller));
    return true;
  }

  void accept() {
    for (std::size_t k = 0; k < kMostCallers; ++k) {
      std::optional<Socket> socket = listener_.accept();
      if (!socket) return;
      if (callers_.size() == kMostCallers) callers_.pop_front();
      callers_.emplace_back();
      callers_.back().socket = *std::move(socket);
      callers_.back().socket.send_at_once();
    }
  }

  /// Returns true once the caller's line is there, or if the caller is to be forgotten.
  bool hear(Caller& caller) {
    const SipBits& secret = secret_;
    if (!caller.answered) {
      const Begun::Part part = caller.receive(caller.talk.hello);
      if (part != Begun::Part::kWhole) return part == Begun::Part::kClosed;
      if (!line_for(caller.talk.hello)) return true;
      caller.talk.number = drawn();
      caller.answered = true;
      if (!caller.send(Answer{caller.talk.number, caller.talk.under(secret, kProofOfCalled)})) return true;
    }
    Proof proof;
    const Begun::Part part = caller.receive(proof);
    if (part != Begun::Part::kWhole) return part == Begun::Part::kClosed;
    std::optional<Line>* const line = line_for(caller.talk.hello);
    if (line == nullptr || proof != caller.talk.under(secret, kProofOfCaller)) return true;
    line->emplace(std::move(caller.socket), caller.talk.under(secret, kKeyToCaller),
                  caller.talk.under(secret, kKeyToCalled));
    return true;
  }

  /// The line that this caller should have, if its claims are true and it has no line yet.
  std::optional<Line>* line_for(const Hello& hello) {
    if (std::string_view(hello.version, sizeof hello.version) != "linsep 1" || hello.to != rank_ || hello.from <= rank_)
      return nullptr;
    for (std::size_t place = 0; place < wanted_.size(); ++place) {
      const Door::Wanted& wanted = wanted_[place];
      if (wanted.other == hello.from && static_cast<std::uint64_t>(wanted.use) == hello.use && !lines_[place]) {
        return &lines_[place];
      }
    }
    return nullptr;
  }

  void wait() const {
    std::vector<Waiting> all = {{&listener_, false}};
    for (const Caller& caller : callers_) all.push_back({&caller.socket, false});
    for (const Call& call : calls_) {
      if (call.socket.is_open()) all.push_back({&call.socket, !call.connected});
    }
    wait_for_any(all, kTick);
  }

  void look_for_ended() const {
    for (std::size_t place = 0; place < lines_.size(); ++place) {
      if (lines_[place] && lines_[place]->socket().hung_up()) {
        throw system_error("worker " + name(place) + " ended before all workers were connected");
      }
    }
  }

  const Socket& listener_;
  const int rank_;
  const std::vector<Door::Wanted>& wanted_;
  const std::vector<std::string>& hosts_;
  std::vector<std::optional<Line>> lines_;
  SipBits secret_ = {};
  std::vector<Address> addresses_;
  std::list<Call> calls_;
  std::list<Caller> callers_;
};

}  // namespace

Door::Door(const Address& address, const PortRange& ports)
    : listener_(listening_within(address, ports)), share_(drawn()) {}

std::string Door::invitation() const {
  ByteWriter writer;
  for (const std::uint64_t word : share_) writer.number(word);
  writer.text(listener_.address().bytes);
  return writer.bytes();
}

std::vector<Line> Door::connect(int rank, const std::vector<Wanted>& wanted,
                                const std::vector<std::string>& invitations, const std::vector<std::string>& hosts,
                                double patience_seconds) {
  Connecting connecting(listener_, rank, wanted, invitations, hosts);
  std::vector<Line> lines = connecting.until(steady_seconds() + patience_seconds);
  listener_.close();
  return lines;
}

}  // namespace linsep

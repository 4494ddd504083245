// Lines between workers, and strangers who interfere. A stranger who can't prove that it knows the run's secret gets
// nothing, and bytes that were altered, repeated or dropped on the way are noticed.
#include "comm/door.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "comm/line.h"
#include "core/bytes.h"
#include "linsep/error.h"
#include "os/socket.h"

namespace linsep {
namespace {

constexpr int kPatience = 10'000;  // milliseconds

Address here() { return local_address("127.0.0.1"); }

/// An invitation holds two words of secret and an address.
Address address_in(const std::string& invitation) {
  ByteReader reader(invitation);
  reader.number<std::uint64_t>();
  reader.number<std::uint64_t>();
  return {reader.text()};
}
std::string with_address(const std::string& invitation, const Address& address) {
  ByteReader reader(invitation);
  ByteWriter writer;
  for (int k = 0; k < 2; ++k) writer.number(reader.number<std::uint64_t>());
  writer.text(address.bytes);
  return writer.bytes();
}

Socket connected_to(const Address& address) {
  int error = 0;
  Socket socket = Socket::connecting(address, error);
  EXPECT_EQ(error, 0);
  EXPECT_TRUE(socket.wait_to_write(kPatience));
  socket.send_at_once();
  return socket;
}

/// Stands between a caller and a worker, and passes on what `alter` makes of the bytes.
class Relay {
 public:
  /// Called as `alter(bytes, from_caller, place)`. `place` is how many bytes went that way before.
  using Alter = std::function<std::string(const std::string& bytes, bool from_caller, std::size_t place)>;

  Relay(const Address& worker, Alter alter)
      : listener_(Socket::listening(here())), alter_(std::move(alter)), thread_([this, worker] { run(worker); }) {}
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;
  ~Relay() {
    stop_ = true;
    thread_.join();
  }
  Address address() const { return listener_.address(); }
  /// From now on the caller hears itself.
  void send_back() { back_ = true; }

 private:
  void run(const Address& worker) {
    std::optional<Socket> caller;
    while (!caller && !stop_) {
      if (listener_.wait_to_read(20)) caller = listener_.accept();
    }
    if (!caller) return;
    caller->send_at_once();
    const Socket called = connected_to(worker);
    std::size_t sent[] = {0, 0};
    while (!stop_) {
      bool closed = false;
      for (const bool from_caller : {true, false}) {
        const Socket& from = from_caller ? *caller : called;
        const Socket& to = from_caller && !back_ ? called : *caller;
        char piece[4096];
        const Socket::Received got = from.receive(piece);
        closed = closed || got.closed;
        if (got.size == 0) continue;
        const std::string bytes = alter_({piece, got.size}, from_caller, sent[from_caller]);
        sent[from_caller] += got.size;
        for (std::size_t at = 0; at < bytes.size() && !stop_;) at += to.send(std::string_view(bytes).substr(at));
      }
      if (closed) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  Socket listener_;
  Alter alter_;
  std::atomic<bool> stop_ = false, back_ = false;
  std::thread thread_;
};

struct Ends {
  std::optional<Line> called, caller;
  std::string why_called, why_caller;  // there is no line
};

/// Connects workers 0 and 1. Worker 1 calls worker 0 at `address`, or at its real address if that is null.
Ends connect_two(const std::function<Address(const Address& worker)>& address = nullptr, double patience = 5,
                 const std::function<void(const Address& worker)>& meanwhile = nullptr) {
  Door first(here()), second(here());
  const Address at = address_in(first.invitation());
  if (meanwhile) meanwhile(at);
  const std::vector<std::string> invitations = {first.invitation(), second.invitation()}, hosts = {"a", "b"};
  std::vector<std::string> seen = invitations;
  if (address) seen[0] = with_address(seen[0], address(at));
  Ends ends;
  const auto join = [&](Door& door, int rank, const std::vector<std::string>& with, std::optional<Line>& line,
                        std::string& why) {
    try {
      line = std::move(door.connect(rank, {{1 - rank, Door::Use::kNumbers}}, with, hosts, patience)[0]);
    } catch (const Error& error) {
      why = error.what();
    }
  };
  std::thread other([&] { join(second, 1, seen, ends.caller, ends.why_caller); });
  join(first, 0, invitations, ends.called, ends.why_called);
  other.join();
  return ends;
}

/// Returns the bytes of the next letter on the line. If none comes, returns nothing, and `last` has the reason.
std::optional<std::string> next_letter(Line& line, Line::Event* last = nullptr) {
  std::string bytes;
  for (;;) {
    const Line::Event event = line.read();
    if (last != nullptr) *last = event;
    if (event == Line::Event::kNothing) {
      if (!line.socket().wait_to_read(kPatience)) return std::nullopt;
    } else if (event == Line::Event::kTopic) {
      bytes.resize(line.length());
      line.take_into(bytes.data());
    } else if (event == Line::Event::kLetter) {
      return bytes;
    } else {
      return std::nullopt;
    }
  }
}

TEST(Line, CarriesLettersOfEveryLengthBothWays) {
  Ends ends = connect_two();
  ASSERT_TRUE(ends.called && ends.caller) << ends.why_called << ends.why_caller;
  for (const std::size_t length : {0, 1, 8, 4096, 4097, 65536, 65537, 3'000'000}) {
    const std::string text(length, 'x');
    for (const bool back : {false, true}) {
      Line &from = back ? *ends.called : *ends.caller, &to = back ? *ends.caller : *ends.called;
      from.send(length, text);
      std::thread writer([&] {
        while (from.is_writing()) from.write();
      });
      EXPECT_EQ(next_letter(to), text);
      EXPECT_EQ(to.topic(), length);
      writer.join();
    }
  }
}

TEST(Line, ARelayThatAltersNothingIsNotNoticed) {
  std::unique_ptr<Relay> relay;
  Ends ends = connect_two([&](const Address& worker) {
    relay = std::make_unique<Relay>(worker, [](const std::string& bytes, bool, std::size_t) { return bytes; });
    return relay->address();
  });
  ASSERT_TRUE(ends.called && ends.caller);
  ends.caller->send(7, "as it was");
  ends.caller->write();
  EXPECT_EQ(next_letter(*ends.called), "as it was");
}

constexpr std::size_t kSaidByCaller = 56;  // bytes the caller sends before its line is there

/// Alters bytes on the way: the relay passes on the proofs of who the workers are, and applies `alter` to what follows.
Line::Event after_altering(const std::function<std::string(std::string)>& alter) {
  std::unique_ptr<Relay> relay;
  Ends ends = connect_two([&](const Address& worker) {
    relay = std::make_unique<Relay>(worker, [alter](const std::string& bytes, bool from_caller, std::size_t place) {
      return from_caller && place >= kSaidByCaller ? alter(bytes) : bytes;
    });
    return relay->address();
  });
  EXPECT_TRUE(ends.called && ends.caller);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // so that the letter arrives on its own
  ends.caller->send(7, "weights");
  ends.caller->write();
  Line::Event last = Line::Event::kNothing;
  next_letter(*ends.called, &last);
  if (last == Line::Event::kLetter) next_letter(*ends.called, &last);
  return last;
}

TEST(Line, EveryBitThatIsAlteredOnItsWayIsNoticed) {
  constexpr std::size_t kLetter = 16 + 16 + 7 + 16;
  for (std::size_t at = 0; at < kLetter; at += 3) {
    const Line::Event event = after_altering([at](std::string bytes) {
      bytes.at(at) = static_cast<char>(bytes.at(at) ^ 1);
      return bytes;
    });
    EXPECT_EQ(event, Line::Event::kForged) << at;
  }
}

TEST(Line, ALetterThatComesTwiceIsForged) {
  EXPECT_EQ(after_altering([](const std::string& bytes) { return bytes + bytes; }), Line::Event::kForged);
}

TEST(Line, ALetterThatIsLeftOutIsNoticedAtTheNext) {
  int letters = 0;
  const auto drop_first = [&letters](const std::string& bytes) { return letters++ == 0 ? std::string() : bytes; };
  std::unique_ptr<Relay> relay;
  Ends ends = connect_two([&](const Address& worker) {
    relay = std::make_unique<Relay>(worker, [&](const std::string& bytes, bool from_caller, std::size_t place) {
      return from_caller && place >= kSaidByCaller ? drop_first(bytes) : bytes;
    });
    return relay->address();
  });
  ASSERT_TRUE(ends.called && ends.caller);
  for (const char* text : {"first", "second"}) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ends.caller->send(7, text);
    ends.caller->write();
  }
  Line::Event last = Line::Event::kNothing;
  EXPECT_EQ(next_letter(*ends.called, &last), std::nullopt);
  EXPECT_EQ(last, Line::Event::kForged);
}

TEST(Line, ALetterThatIsSentBackIsForged) {
  std::unique_ptr<Relay> relay;
  Ends ends = connect_two([&](const Address& worker) {
    relay = std::make_unique<Relay>(worker, [](const std::string& bytes, bool, std::size_t) { return bytes; });
    return relay->address();
  });
  ASSERT_TRUE(ends.called && ends.caller);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  relay->send_back();
  ends.caller->send(7, "x");
  ends.caller->write();
  Line::Event last = Line::Event::kNothing;
  EXPECT_EQ(next_letter(*ends.caller, &last), std::nullopt);
  EXPECT_EQ(last, Line::Event::kForged);
}

/// The first message of a stranger who poses as worker 1 and knows all but the secret.
std::string hello_of_worker_one() {
  std::string bytes = "linsep 1";
  ByteWriter writer;
  writer.number(std::int32_t{1});
  writer.number(std::int32_t{0});
  writer.number(static_cast<std::uint64_t>(Door::Use::kNumbers));
  return bytes + writer.bytes() + std::string(16, 'n');
}

TEST(Door, StrangersHoldNobodyUpAndTheirCallsGiveThemNoPort) {
  std::vector<Socket> strangers;
  const auto call = [&](const Address& worker) {
    for (int k = 0; k < 50; ++k) strangers.push_back(connected_to(worker));
    for (const std::string& words : {std::string("x"), std::string(100, '\0'), hello_of_worker_one(),
                                     hello_of_worker_one() + std::string(16, 'p')}) {
      strangers.push_back(connected_to(worker));
      strangers.back().send(words);
    }
    for (int k = 0; k < 50; ++k) connected_to(worker);  // and hangs up
    EXPECT_THROW(Socket::listening(worker), Error) << "the port is still the worker's";
  };
  const auto began = std::chrono::steady_clock::now();
  Ends ends = connect_two(nullptr, 20, call);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(4));
  ASSERT_TRUE(ends.called && ends.caller) << ends.why_called << ends.why_caller;
  ends.caller->send(7, "from worker 1");
  ends.caller->write();
  EXPECT_EQ(next_letter(*ends.called), "from worker 1");
}

TEST(Door, MoreStrangersThanItKeepsHoldNobodyUp) {
  std::vector<Socket> strangers;
  const Ends ends = connect_two(nullptr, 20, [&](const Address& worker) {
    for (int k = 0; k < 300; ++k) strangers.push_back(connected_to(worker));
  });
  EXPECT_TRUE(ends.called && ends.caller) << ends.why_called << ends.why_caller;
}

TEST(Door, OneWhoAnswersInAWorkersPlaceIsFoundOut) {
  const Socket listener = Socket::listening(here());
  std::atomic<bool> done = false;
  std::thread impostor([&] {
    std::optional<Socket> caller;
    while (!done) {
      if (!caller && listener.wait_to_read(20)) caller = listener.accept();
      if (caller) caller->send(std::string(32, 'a'));
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  const Ends ends = connect_two([&](const Address&) { return listener.address(); }, 1);
  done = true;
  impostor.join();
  EXPECT_FALSE(ends.called || ends.caller);
  EXPECT_EQ(ends.why_caller,
            "what answers at the address of worker 0 (a) doesn't know this run's secret: it isn't that worker, or "
            "something alters what they say");
  EXPECT_EQ(ends.why_called, "worker 1 (b) didn't connect in time");
}

TEST(Door, AWorkerOfAnotherRunGetsNoLine) {
  Door first(here()), second(here()), other(here());
  std::thread stranger([&] {
    const std::vector<std::string> invitations = {first.invitation(), other.invitation()};
    EXPECT_THROW(other.connect(1, {{0, Door::Use::kNumbers}}, invitations, {"a", "c"}, 1), Error);
  });
  EXPECT_THROW(first.connect(0, {{1, Door::Use::kNumbers}}, {first.invitation(), second.invitation()}, {"a", "b"}, 1),
               Error);
  stranger.join();
}

TEST(Door, AWorkerThatIsGoneIsNamed) {
  std::string gone;
  {
    const Door door(here());
    gone = door.invitation();
  }
  Door door(here());
  try {
    door.connect(1, {{0, Door::Use::kNumbers}}, {gone, door.invitation()}, {"a", "b"}, 5);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "worker 0 (a) can't be reached: Connection refused");
  }
}

TEST(Door, AWorkerThatEndsWhileOthersConnectEndsThemAtOnce) {
  std::vector<std::unique_ptr<Door>> doors;
  std::vector<std::string> invitations;
  for (int k = 0; k < 3; ++k) {
    doors.push_back(std::make_unique<Door>(here()));
    invitations.push_back(doors.back()->invitation());
  }
  std::thread second([&] {  // gets its line and ends, and the third never comes
    doors[1]->connect(1, {{0, Door::Use::kNumbers}}, invitations, {"a", "b", "c"}, 10);
  });
  const auto began = std::chrono::steady_clock::now();
  try {
    doors[0]->connect(0, {{1, Door::Use::kNumbers}, {2, Door::Use::kNumbers}}, invitations, {"a", "b", "c"}, 10);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "worker 1 (b) ended before all workers were connected");
  }
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(4));
  second.join();
}

}  // namespace
}  // namespace linsep

#include "comm/socket_mailbox.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include "comm/failure_detector.h"
#include "core/bytes.h"
#include "linsep/error.h"
#include "os/process.h"

namespace linsep {
namespace {

constexpr std::size_t kMostWaiting = 64 << 10;  // bytes kept for a worker that doesn't take them

struct Hello {
  std::uint64_t token;
  std::int32_t rank;
};

/// Asks again until the deadline, as a signal ends a wait.
template <class Wait>
bool ready(double deadline, const Wait& wait) {
  for (;;) {
    const double left = deadline - steady_seconds();
    if (left <= 0) return false;
    if (wait(static_cast<int>(left * 1000) + 1)) return true;
  }
}

bool readable(const Socket& socket, double deadline) {
  return ready(deadline, [&](int milliseconds) { return socket.wait_to_read(milliseconds); });
}

bool read_whole(const Socket& socket, void* data, std::size_t size, double deadline) {
  auto* to = static_cast<char*>(data);
  while (size > 0) {
    if (!readable(socket, deadline)) return false;
    const Socket::Received got = socket.receive({to, size});
    if (got.closed) return false;
    to += got.size;
    size -= got.size;
  }
  return true;
}

/// The first port of the range that is free.
Socket listening_within(const Address& address, const PortRange& ports) {
  for (int port = ports.first; port < ports.last; ++port) {
    try {
      return Socket::listening(address.with_port(port));
    } catch (const Error&) {
      continue;  // somebody else has it
    }
  }
  try {
    return Socket::listening(address.with_port(ports.last));
  } catch (const Error& error) {
    if (ports.last == 0) throw;
    throw system_error("no port from " + std::to_string(ports.first) + " to " + std::to_string(ports.last) +
                       " is free (" + error.what() + ")");
  }
}

}  // namespace

SocketMailbox::SocketMailbox(const Address& address, const PortRange& ports)
    : listener_(listening_within(address, ports)) {
  fill_randomly(&token_, sizeof token_);
}

std::string SocketMailbox::invitation() const {
  ByteWriter writer;
  writer.number(token_);
  writer.text(listener_.address().bytes);
  return writer.bytes();
}

void SocketMailbox::connect(int rank, const std::vector<std::string>& invitations,
                            const std::vector<std::string>& hosts, double patience_seconds) {
  const double deadline = steady_seconds() + patience_seconds;
  std::vector<int> expected;
  for (const int other : watched_workers(rank, static_cast<int>(invitations.size()))) {
    const auto place = static_cast<std::size_t>(other);
    if (other < rank) call(rank, other, worker_name(other, hosts[place]), invitations[place], deadline);
    if (other > rank) expected.push_back(other);
  }
  answer_calls(expected, hosts, deadline);
  listener_.close();
}

void SocketMailbox::call(int rank, int other, const std::string& name, const std::string& invitation, double deadline) {
  ByteReader reader(invitation);
  const Hello hello{reader.number<std::uint64_t>(), rank};
  const auto unreachable = [&](int error) {
    return system_error("worker " + name + " can't be reached: " + std::generic_category().message(error));
  };
  int error = 0;
  Socket socket = Socket::connecting({reader.text()}, error);
  if (error != 0) throw unreachable(error);
  if (!ready(deadline, [&](int milliseconds) { return socket.wait_to_write(milliseconds); })) {
    throw unreachable(ETIMEDOUT);
  }
  if (error = socket.connect_error(); error != 0) throw unreachable(error);
  if (socket.send({reinterpret_cast<const char*>(&hello), sizeof hello}) != sizeof hello) throw unreachable(EPIPE);
  add_connection(other, std::move(socket));
}

void SocketMailbox::answer_calls(std::vector<int> expected, const std::vector<std::string>& hosts, double deadline) {
  while (!expected.empty()) {
    if (!readable(listener_, deadline)) {
      const std::string name = worker_name(expected[0], hosts[static_cast<std::size_t>(expected[0])]);
      throw system_error("worker " + name + " didn't connect in time");
    }
    std::optional<Socket> socket = listener_.accept();
    if (!socket) continue;
    Hello hello{};
    const double soon = std::min(deadline, steady_seconds() + 5);  // a stranger that sends nothing holds nobody up
    const bool whole = read_whole(*socket, &hello, sizeof hello, soon);
    const auto found = std::find(expected.begin(), expected.end(), hello.rank);
    if (!whole || hello.token != token_ || found == expected.end()) continue;
    add_connection(hello.rank, *std::move(socket));
    expected.erase(found);
  }
}

void SocketMailbox::add_connection(int rank, Socket socket) {
  socket.send_at_once();
  connections_.push_back({rank, std::move(socket), {}, {}});
}

void SocketMailbox::send(int to, const std::string& bytes) {
  for (Connection& connection : connections_) {
    if (connection.rank != to || !connection.socket.is_open()) continue;
    if (connection.out.size() + bytes.size() <= kMostWaiting) {
      const auto length = static_cast<std::uint32_t>(bytes.size());
      connection.out.append(reinterpret_cast<const char*>(&length), sizeof length).append(bytes);
    }
    write(connection);
  }
}

std::optional<Message> SocketMailbox::receive() {
  if (arrived_.empty()) {
    for (Connection& connection : connections_) {
      if (connection.socket.is_open()) write(connection);
      if (connection.socket.is_open()) read(connection);
    }
  }
  if (arrived_.empty()) return std::nullopt;
  Message first = std::move(arrived_.front());
  arrived_.pop_front();
  return first;
}

void SocketMailbox::write(Connection& connection) {
  while (!connection.out.empty()) {
    const std::size_t sent = connection.socket.send(connection.out);
    if (sent == 0) return;
    connection.out.erase(0, sent);
  }
}

void SocketMailbox::read(Connection& connection) {
  char piece[4096];
  Socket::Received got = connection.socket.receive(piece);
  for (; got.size > 0; got = connection.socket.receive(piece)) connection.in.append(piece, got.size);
  std::uint32_t length = 0;
  while (connection.in.size() >= sizeof length) {
    std::memcpy(&length, connection.in.data(), sizeof length);
    if (length > kLongestMessage) return close(connection);
    if (connection.in.size() < sizeof length + length) break;
    arrived_.push_back({connection.rank, connection.in.substr(sizeof length, length), false});
    connection.in.erase(0, sizeof length + length);
  }
  if (got.closed) close(connection);
}

void SocketMailbox::close(Connection& connection) {
  connection.socket.close();
  arrived_.push_back({connection.rank, {}, true});
}

}  // namespace linsep

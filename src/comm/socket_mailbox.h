// Mailbox by sockets: a TCP connection to each worker that is watched.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "comm/failure_detector.h"

namespace linsep {

/// An address of this host to listen on.
struct Address {
  sockaddr_storage storage{};
  socklen_t length = 0;

  /// The number, without a port: "10.0.0.3" or "fe80::1".
  std::string text() const;
};

/// The address of a network interface ("eth0"; IPv4 before IPv6), or that of a host's name or number.
/// Throws a usage Error when this host has no such interface and the name means nothing.
Address local_address(const std::string& interface_or_host);

/// What this machine calls itself.
std::string host_name();

/// Made in two steps, because the others must know where this one listens before they can connect.
class SocketMailbox : public Mailbox {
 public:
  /// Listens on `address`, on a port of the system's choice, until `connect` is done.
  explicit SocketMailbox(const Address& address);
  ~SocketMailbox() override;

  /// What the other workers need to reach this one.
  std::string invitation() const;
  /// Connects to the workers of `watched_workers`. Throws a system Error that names, by `hosts`, a worker
  /// that can't be reached or doesn't connect within `patience_seconds`.
  void connect(int rank, const std::vector<std::string>& invitations, const std::vector<std::string>& hosts,
               double patience_seconds);

  void send(int to, const std::string& bytes) override;
  std::optional<Message> receive() override;

 private:
  struct Connection {
    int rank = 0;
    int descriptor = -1;
    std::string in, out;
  };

  void call(int rank, int other, const std::string& name, const std::string& invitation, double deadline);
  void answer_calls(std::vector<int> expected, const std::vector<std::string>& hosts, double deadline);
  void add_connection(int rank, int descriptor);
  void read(Connection& connection);
  void write(Connection& connection);
  void close(Connection& connection);

  int listener_ = -1;
  Address address_;
  std::uint64_t token_ = 0;  // a caller that doesn't know it is no worker of this run
  std::vector<Connection> connections_;
  std::deque<Message> arrived_;
};

}  // namespace linsep

// Mailbox by sockets: a TCP connection to each worker that is watched.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "comm/failure_detector.h"
#include "linsep/tools/engines.h"
#include "os/socket.h"

namespace linsep {

/// Made in two steps, because the others must know where this one listens before they can connect.
class SocketMailbox : public Mailbox {
 public:
  /// Listens on `address`, on a free port of the range, until `connect` is done.
  explicit SocketMailbox(const Address& address, const PortRange& ports = {});

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
    Socket socket;
    std::string in, out;
  };

  void call(int rank, int other, const std::string& name, const std::string& invitation, double deadline);
  void answer_calls(std::vector<int> expected, const std::vector<std::string>& hosts, double deadline);
  void add_connection(int rank, Socket socket);
  void read(Connection& connection);
  void write(Connection& connection);
  void close(Connection& connection);

  Socket listener_;
  std::uint64_t token_ = 0;  // a caller that doesn't know it is no worker of this run
  std::vector<Connection> connections_;
  std::deque<Message> arrived_;
};

}  // namespace linsep

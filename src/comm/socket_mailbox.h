// A Mailbox over sockets, with a line to each watched worker.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "comm/failure_detector.h"
#include "comm/line.h"

namespace linsep {

class SocketMailbox : public Mailbox {
 public:
  /// Adds the line to a worker.
  void add(int rank, Line line);

  void send(int to, const std::string& bytes) override;
  std::optional<Message> receive() override;

 private:
  struct Connection {
    int rank = 0;
    Line line;
    std::string in;
  };

  void read(Connection& connection);

  std::vector<Connection> connections_;
  std::deque<Message> arrived_;
};

}  // namespace linsep

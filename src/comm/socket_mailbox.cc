#include "comm/socket_mailbox.h"

#include <utility>

namespace linsep {
namespace {

constexpr std::size_t kMostWaiting = 64 << 10;  // bytes kept for a worker that doesn't take them
static_assert(Mailbox::kLongestMessage <= Line::kCopied);

}  // namespace

void SocketMailbox::add(int rank, Line line) { connections_.push_back({rank, std::move(line), {}}); }

void SocketMailbox::send(int to, const std::string& bytes) {
  for (Connection& connection : connections_) {
    Line& line = connection.line;
    if (connection.rank != to || !line.is_open()) continue;
    if (line.bytes_waiting() + bytes.size() <= kMostWaiting) line.send(0, bytes);
    line.write();
  }
}

std::optional<Message> SocketMailbox::receive() {
  if (arrived_.empty()) {
    for (Connection& connection : connections_) {
      if (connection.line.is_open()) connection.line.write();
      if (connection.line.is_open()) read(connection);
    }
  }
  if (arrived_.empty()) return std::nullopt;
  Message first = std::move(arrived_.front());
  arrived_.pop_front();
  return first;
}

void SocketMailbox::read(Connection& connection) {
  Line& line = connection.line;
  const auto lost = [&](bool forged) {
    line.close();
    arrived_.push_back({connection.rank, {}, true, forged});
  };
  for (;;) {
    switch (line.read()) {
      case Line::Event::kNothing:
        return;
      case Line::Event::kTopic:
        if (line.length() > kLongestMessage) return lost(true);
        connection.in.resize(line.length());
        line.take_into(connection.in.data());
        break;
      case Line::Event::kLetter:
        arrived_.push_back({connection.rank, connection.in});
        break;
      case Line::Event::kClosed:
        return lost(false);
      case Line::Event::kForged:
        return lost(true);
    }
  }
}

}  // namespace linsep

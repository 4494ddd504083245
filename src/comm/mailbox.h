// Mailbox: small messages between workers, beside the collectives.
#pragma once

#include <optional>
#include <string>

namespace linsep {

struct Message {
  int from = 0;
  std::string bytes;
  bool closed = false;  ///< the worker's end of the connection is closed; nothing more will come from it
};

/// Messages have at most kLongestMessage bytes and arrive whole, those of one worker in order. No call waits for a
/// worker. Calls may come from several threads, one at a time.
class Mailbox {
 public:
  static constexpr std::size_t kLongestMessage = 2000;

  Mailbox() = default;
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;
  virtual ~Mailbox() = default;

  /// Sent if it can be; a worker that doesn't take its messages loses them.
  virtual void send(int to, const std::string& bytes) = 0;
  virtual std::optional<Message> receive() = 0;
};

}  // namespace linsep

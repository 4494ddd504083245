// Post: small letters between workers, beside the collectives.
#pragma once

#include <optional>
#include <string>

namespace linsep {

struct Letter {
  int from = 0;
  std::string bytes;
  bool hung_up = false;  ///< the worker's end of the line is closed; nothing more will come from it
};

/// Letters have at most kLongestLetter bytes, come whole, and those of one worker come in order. No call waits for a
/// worker. Calls may come from several threads, one at a time.
class Post {
 public:
  static constexpr std::size_t kLongestLetter = 2000;

  Post() = default;
  Post(const Post&) = delete;
  Post& operator=(const Post&) = delete;
  virtual ~Post() = default;

  /// Sent if it can be; a worker that doesn't take its letters loses them.
  virtual void send(int to, const std::string& bytes) = 0;
  virtual std::optional<Letter> receive() = 0;
};

}  // namespace linsep

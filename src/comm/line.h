// Line: a connection to another worker on which only that worker can be heard. Each letter has a place in the order and
// a hash under a key that no stranger knows, so altered, repeated, missing, inserted or reflected letters are noticed.
// It isn't secret: anyone who sees the network sees the letters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>

#include "core/sip_hash.h"
#include "os/socket.h"

namespace linsep {

/// A letter is a topic and bytes. Neither call waits for the other worker.
class Line {
 public:
  /// One key is for the way out and one for the way in. No two ways ever have the same key.
  Line(Socket socket, const SipBits& out_key, const SipBits& in_key);

  const Socket& socket() const { return socket_; }
  bool is_open() const { return socket_.is_open(); }
  void close() { socket_.close(); }

  /// Letters up to this length are copied.
  static constexpr std::size_t kCopied = 4096;

  /// Queues a letter. REQUIRES: bytes longer than kCopied stay as they are until they are sent.
  void send(std::uint64_t topic, std::string_view bytes);
  /// Sends as much as can go now. Returns how many letters were finished.
  std::size_t write();
  bool is_writing() const { return !out_.empty(); }
  /// The bytes of the letters in the queue, not counting those of long letters.
  std::size_t bytes_waiting() const;

  enum class Event {
    kNothing,  ///< no more has come yet
    kTopic,    ///< a letter of this topic and length begins: `take_into` sets where its bytes go
    kLetter,   ///< all bytes of the letter are there
    kClosed,   ///< nothing more will come
    kForged    ///< what came isn't from the other worker or was altered on its way: nothing after it counts
  };
  Event read();
  std::uint64_t topic() const { return topic_; }
  std::uint64_t length() const { return length_; }
  /// REQUIRES: the last event was kTopic, and there is room for `length()` bytes until the letter is whole.
  void take_into(char* to) { to_ = to; }

 private:
  static constexpr std::size_t kHeadBytes = 2 * sizeof(std::uint64_t) + sizeof(SipBits);

  struct Letter {
    std::string head;        // the whole letter if it is short
    std::string_view bytes;  // of a long letter, hashed piece by piece as they are sent
    SipHash hash;
    std::size_t hashed = 0, sent = 0;
    std::string end = {};
  };

  std::string_view to_send(Letter& letter) const;
  /// Reads until there are `size` bytes at `to`, of which `got_` are there so far.
  Event fill(char* to, std::size_t size, SipHash* hash);

  Socket socket_;
  SipBits out_key_, in_key_;
  std::uint64_t out_count_ = 0, in_count_ = 0;  // hashes made on each way
  std::deque<Letter> out_;

  enum class Part { kHead, kBytes, kEnd } part_ = Part::kHead;
  char head_[kHeadBytes] = {};
  SipBits end_ = {};
  std::size_t got_ = 0;
  std::uint64_t topic_ = 0, length_ = 0;
  SipHash in_hash_;
  char* to_ = nullptr;
};

}  // namespace linsep

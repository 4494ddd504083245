#include "comm/line.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace linsep {
namespace {

constexpr std::size_t kPiece = 64 << 10;  // what is hashed and sent, or received and hashed, while it is in the cache

std::string_view bytes_of(const SipBits& hash) { return {reinterpret_cast<const char*>(hash.data()), sizeof hash}; }

}  // namespace

// The layout of a letter:
//   topic, length        8 bytes each
//   their hash          16
//   the bytes
//   their hash          16
// Each hash covers its own number on this way, counted from 0, and then the bytes it is for.

Line::Line(Socket socket, const SipBits& out_key, const SipBits& in_key)
    : socket_(std::move(socket)), out_key_(out_key), in_key_(in_key), in_hash_(in_key) {
  socket_.send_at_once();
}

void Line::send(std::uint64_t topic, std::string_view bytes) {
  const std::uint64_t words[] = {topic, bytes.size()};
  std::string head(reinterpret_cast<const char*>(words), sizeof words);
  const SipBits hash = SipHash(out_key_).add(out_count_++).add(head).finish();
  head += bytes_of(hash);
  SipHash begun(out_key_);
  begun.add(out_count_++);
  if (bytes.size() <= kCopied) {
    head += bytes;
    head += bytes_of(begun.add(bytes).finish());
    bytes = {};
  }
  out_.push_back({std::move(head), bytes, begun});
}

std::size_t Line::bytes_waiting() const {
  std::size_t bytes = 0;
  for (const Letter& letter : out_) bytes += letter.head.size();
  return bytes;
}

/// The bytes that may be sent next, already hashed. Empty once all have been sent.
std::string_view Line::to_send(Letter& letter) const {
  if (letter.sent < letter.head.size()) return std::string_view(letter.head).substr(letter.sent);
  const std::size_t at = letter.sent - letter.head.size(), size = letter.bytes.size();
  if (at == letter.hashed && at < size) {
    const std::string_view piece = letter.bytes.substr(at, kPiece);
    letter.hash.add(piece);
    letter.hashed += piece.size();
    if (letter.hashed == size) letter.end = bytes_of(letter.hash.finish());
  }
  if (at < size) return letter.bytes.substr(at, letter.hashed - at);
  return std::string_view(letter.end).substr(at - size);
}

std::size_t Line::write() {
  std::size_t finished = 0;
  while (!out_.empty()) {
    Letter& letter = out_.front();
    const std::string_view next = to_send(letter);
    if (next.empty()) {
      out_.pop_front();
      ++finished;
      continue;
    }
    const std::size_t sent = socket_.send(next);
    if (sent == 0) break;
    letter.sent += sent;
  }
  return finished;
}

Line::Event Line::fill(char* to, std::size_t size, SipHash* hash) {
  while (got_ < size) {
    const Socket::Received received = socket_.receive({to + got_, std::min(size - got_, kPiece)});
    if (received.closed) return Event::kClosed;
    if (received.size == 0) return Event::kNothing;
    if (hash != nullptr) hash->add({to + got_, received.size});
    got_ += received.size;
  }
  got_ = 0;
  return Event::kLetter;
}

Line::Event Line::read() {
  const auto forged = [this] {
    close();
    return Event::kForged;
  };
  if (part_ == Part::kHead) {
    if (const Event event = fill(head_, sizeof head_, nullptr); event != Event::kLetter) return event;
    const std::string_view words(head_, kHeadBytes - sizeof(SipBits));
    const SipBits hash = SipHash(in_key_).add(in_count_++).add(words).finish();
    if (std::memcmp(head_ + words.size(), hash.data(), sizeof hash) != 0) return forged();
    std::memcpy(&topic_, head_, sizeof topic_);
    std::memcpy(&length_, head_ + sizeof topic_, sizeof length_);
    in_hash_ = SipHash(in_key_);
    in_hash_.add(in_count_++);
    part_ = Part::kBytes;
    return Event::kTopic;
  }
  if (part_ == Part::kBytes) {
    if (const Event event = fill(to_, length_, &in_hash_); event != Event::kLetter) return event;
    part_ = Part::kEnd;
  }
  if (const Event event = fill(reinterpret_cast<char*>(end_.data()), sizeof end_, nullptr); event != Event::kLetter) {
    return event;
  }
  part_ = Part::kHead;
  return in_hash_.finish() == end_ ? Event::kLetter : forged();
}

}  // namespace linsep

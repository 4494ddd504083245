// SipHash-2-4 with 128 bits (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012). It is a keyed hash that
// nobody can predict, or find collisions of, without its key of 128 bits. It serves both as a code that authenticates
// a message and as a hash of words that strangers chose.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace linsep {

/// A key or a hash of 128 bits, as they lie in memory.
using SipBits = std::array<std::uint64_t, 2>;

class SipHash {
 public:
  explicit SipHash(const SipBits& key)
      : a_(key[0] ^ 0x736f6d6570736575U),
        b_(key[1] ^ 0x646f72616e646f6dU ^ 0xeeU),
        c_(key[0] ^ 0x6c7967656e657261U),
        d_(key[1] ^ 0x7465646279746573U) {}

  /// May come in pieces of any length, because only the bytes one after another count.
  SipHash& add(std::string_view bytes) {
    const char* from = bytes.data();
    std::size_t left = bytes.size();
    const std::size_t begun = size_ % kWord;
    size_ += left;
    if (begun > 0) {
      const std::size_t taken = left < kWord - begun ? left : kWord - begun;
      if (taken > 0) std::memcpy(rest_ + begun, from, taken);
      if (begun + taken < kWord) return *this;
      take_word(word_at(rest_));
      from += taken;
      left -= taken;
    }
    for (; left >= kWord; from += kWord, left -= kWord) take_word(word_at(from));
    if (left > 0) std::memcpy(rest_, from, left);
    return *this;
  }
  SipHash& add(std::uint64_t number) {
    char bytes[kWord];
    std::memcpy(bytes, &number, kWord);
    return add({bytes, kWord});
  }

  /// The hash of everything added. The object must not be used afterwards.
  SipBits finish() {
    std::uint64_t last = static_cast<std::uint64_t>(size_) << 56;
    for (std::size_t i = 0; i < size_ % kWord; ++i) {
      last |= static_cast<std::uint64_t>(static_cast<unsigned char>(rest_[i])) << (8 * i);
    }
    take_word(last);
    c_ ^= 0xeeU;
    const std::uint64_t first = closed();
    b_ ^= 0xddU;
    return {first, closed()};
  }

 private:
  static constexpr std::size_t kWord = 8;
  static_assert(std::endian::native == std::endian::little, "words are taken as they lie in memory");

  static std::uint64_t word_at(const char* bytes) {
    std::uint64_t word;
    std::memcpy(&word, bytes, kWord);
    return word;
  }
  void take_word(std::uint64_t word) {
    d_ ^= word;
    round();
    round();
    a_ ^= word;
  }
  std::uint64_t closed() {
    for (int k = 0; k < 4; ++k) round();
    return a_ ^ b_ ^ c_ ^ d_;
  }
  void round() {
    a_ += b_;
    c_ += d_;
    b_ = std::rotl(b_, 13) ^ a_;
    d_ = std::rotl(d_, 16) ^ c_;
    a_ = std::rotl(a_, 32);
    c_ += b_;
    a_ += d_;
    b_ = std::rotl(b_, 17) ^ c_;
    d_ = std::rotl(d_, 21) ^ a_;
    c_ = std::rotl(c_, 32);
  }

  std::uint64_t a_, b_, c_, d_;
  std::size_t size_ = 0;
  char rest_[kWord] = {};  // the bytes of an incomplete word
};

inline SipBits sip_hash(const SipBits& key, std::string_view bytes) { return SipHash(key).add(bytes).finish(); }

}  // namespace linsep

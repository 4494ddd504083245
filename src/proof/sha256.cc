#include "proof/sha256.h"

#include <bit>
#include <cstddef>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "core/cpu.h"

namespace linsep {
namespace {

using State = std::array<std::uint32_t, 8>;
using Compress = void (*)(State& state, const std::uint8_t* block, std::size_t blocks);

constexpr std::size_t kBlock = 64;
constexpr State kStart = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
alignas(16) constexpr std::array<std::uint32_t, 64> kRound = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

void compress_plain(State& state, const std::uint8_t* block, std::size_t blocks) {
  for (; blocks > 0; --blocks, block += kBlock) {
    std::array<std::uint32_t, 64> w;
    for (std::size_t t = 0; t < 16; ++t) {
      const std::uint8_t* b = block + 4 * t;
      w[t] = std::uint32_t{b[0]} << 24 | std::uint32_t{b[1]} << 16 | std::uint32_t{b[2]} << 8 | b[3];
    }
    for (std::size_t t = 16; t < 64; ++t) {
      const std::uint32_t a = w[t - 15];
      const std::uint32_t b = w[t - 2];
      w[t] = w[t - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) + w[t - 7] +
             (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t t = 0; t < 64; ++t) {
      const std::uint32_t t1 =
          h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + kRound[t] + w[t];
      const std::uint32_t t2 = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = d + t1;
      d = c;
      c = b;
      b = a;
      a = t1 + t2;
    }
    const State add = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < state.size(); ++i) state[i] += add[i];
  }
}

#if defined(__x86_64__)
// The instructions keep the state as the words (a, b, e, f) and (c, d, g, h), highest first, and do two rounds each.
__attribute__((target("sha,sse4.1,ssse3"))) void compress_sha_ni(State& state, const std::uint8_t* block,
                                                                 std::size_t blocks) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  __m128i abef = _mm_set_epi32(static_cast<int>(state[0]), static_cast<int>(state[1]), static_cast<int>(state[4]),
                               static_cast<int>(state[5]));
  __m128i cdgh = _mm_set_epi32(static_cast<int>(state[2]), static_cast<int>(state[3]), static_cast<int>(state[6]),
                               static_cast<int>(state[7]));
  for (; blocks > 0; --blocks, block += kBlock) {
    const __m128i abef_before = abef;
    const __m128i cdgh_before = cdgh;
    __m128i w[4];
    for (int i = 0; i < 4; ++i) {
      w[i] = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 16 * i)), swap);
    }
#pragma GCC unroll 16
    for (int step = 0; step < 16; ++step) {
      const __m128i now = w[step & 3];
      const __m128i sum =
          _mm_add_epi32(now, _mm_load_si128(reinterpret_cast<const __m128i*>(kRound.data() + 4 * step)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
      if (step < 12) {
        const __m128i last = w[(step + 3) & 3];
        const __m128i middle = _mm_alignr_epi8(last, w[(step + 2) & 3], 4);
        w[step & 3] = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(now, w[(step + 1) & 3]), middle), last);
      }
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  alignas(16) std::array<std::uint32_t, 4> high;
  alignas(16) std::array<std::uint32_t, 4> low;
  _mm_store_si128(reinterpret_cast<__m128i*>(high.data()), abef);
  _mm_store_si128(reinterpret_cast<__m128i*>(low.data()), cdgh);
  state = {high[3], high[2], low[3], low[2], high[1], high[0], low[1], low[0]};
}
#endif

Compress best_compress() {
#if defined(__x86_64__)
  if (cpu_has_sha()) return compress_sha_ni;
#endif
  return compress_plain;
}

Hash hash_with(Compress compress, std::string_view prefix, std::string_view bytes) {
  State state = kStart;
  std::array<std::uint8_t, 2 * kBlock> tail{};
  std::size_t filled = 0;
  std::size_t used = 0;
  if (!prefix.empty()) {
    // The prefix and the first bytes share a block, because prefixes are a few bytes long.
    std::memcpy(tail.data(), prefix.data(), prefix.size());
    filled = prefix.size();
    used = std::min(bytes.size(), kBlock - filled);
    std::memcpy(tail.data() + filled, bytes.data(), used);
    filled += used;
    if (filled == kBlock) {
      compress(state, tail.data(), 1);
      filled = 0;
    }
  }
  if (filled == 0) {
    const std::size_t whole = (bytes.size() - used) / kBlock;
    compress(state, reinterpret_cast<const std::uint8_t*>(bytes.data()) + used, whole);
    used += whole * kBlock;
    filled = bytes.size() - used;
    if (filled > 0) std::memcpy(tail.data(), bytes.data() + used, filled);
  }
  tail[filled++] = 0x80;
  const std::size_t blocks = filled + 8 > kBlock ? 2 : 1;
  std::memset(tail.data() + filled, 0, blocks * kBlock - filled);
  const std::uint64_t bits = 8 * static_cast<std::uint64_t>(prefix.size() + bytes.size());
  for (std::size_t i = 0; i < 8; ++i) {
    tail[blocks * kBlock - 1 - i] = static_cast<std::uint8_t>(bits >> (8 * i));
  }
  compress(state, tail.data(), blocks);
  Hash hash;
  for (std::size_t i = 0; i < hash.size(); ++i) {
    hash[i] = static_cast<std::uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
  }
  return hash;
}

}  // namespace

Hash sha256(std::string_view prefix, std::string_view bytes) {
  static const Compress compress = best_compress();
  return hash_with(compress, prefix, bytes);
}

Hash sha256_plain(std::string_view prefix, std::string_view bytes) { return hash_with(compress_plain, prefix, bytes); }

std::string to_hex(const Hash& hash) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * hash.size());
  for (const std::uint8_t byte : hash) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

bool from_hex(std::string_view text, Hash& hash) {
  if (text.size() != 2 * hash.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    int digit = 0;
    if (c >= '0' && c <= '9') {
      digit = c - '0';
    } else if (c >= 'a' && c <= 'f') {
      digit = c - 'a' + 10;
    } else {
      return false;
    }
    std::uint8_t& byte = hash[i / 2];
    byte = static_cast<std::uint8_t>(i % 2 == 0 ? digit << 4 : byte | digit);
  }
  return true;
}

}  // namespace linsep

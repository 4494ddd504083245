// Random numbers that depend on nothing but a seed and an index, so they are the same on every machine and for any
// order of calls.
#pragma once

#include <cstdint>

namespace linsep {

/// A well-mixed 64-bit hash of a key and a number (SplitMix64's finalizer over both).
inline std::uint64_t keyed_hash(std::uint64_t key, std::uint64_t number) {
  std::uint64_t x = number + 0x9e3779b97f4a7c15ULL * (key + 1);
  for (int round = 0; round < 2; ++round) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    x ^= x >> 31;
    x += key;
  }
  return x;
}

/// A stream of random numbers identified by (seed, stream). Row i of a generated set is stream i.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) : key_(keyed_hash(seed, stream)) {}

  std::uint64_t bits() { return keyed_hash(key_, count_++); }
  /// Uniform in [0, 1), a multiple of 2⁻⁵³.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  /// Uniform in 0 … bound − 1, with negligible bias (multiply-high). REQUIRES: bound > 0.
  std::uint64_t below(std::uint64_t bound) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(bits()) * bound) >> 64);
  }
  /// Nearly normal, the sum of twelve uniforms less six. Only additions, so the same bits with every mathematics
  /// library.
  double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return sum;
  }

 private:
  std::uint64_t key_;
  std::uint64_t count_ = 0;
};

}  // namespace linsep

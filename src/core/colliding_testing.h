// Names that all have one hash under a known hash function, which anybody who writes a file can choose.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace linsep::test {

/// Names of 16 letters and signs with one hash under GNU's standard library: MurmurHash64A with a known seed. The eight
/// bytes that follow any eight can bring its state to any value, because every step can be undone.
inline std::vector<std::string> colliding_names(std::size_t count) {
  constexpr std::uint64_t kFactor = 0xc6a4a7935bd1e995;
  constexpr std::uint64_t kStart = 0xc70f6907 ^ (16 * kFactor), kWanted = 0x123456789abcdef1;
  std::uint64_t inverse = kFactor;
  for (int i = 0; i < 6; ++i) inverse *= 2 - kFactor * inverse;
  const auto shifted = [](std::uint64_t x) { return x ^ (x >> 47); };
  const auto fits_a_name = [](std::uint64_t bytes) {
    for (int i = 0; i < 8; ++i, bytes >>= 8) {
      const std::uint64_t c = bytes & 0xff;
      const bool fine = c > ' ' && c <= '~' && c != ',' && c != '"';
      if (!fine) return false;
    }
    return true;
  };
  std::vector<std::string> names;
  for (std::uint64_t number = 0; names.size() < count; ++number) {
    std::string name(16, 'a');
    for (std::size_t i = 0; i < 8; ++i) name[i] = static_cast<char>('a' + (number >> (4 * i) & 15));
    std::uint64_t first = 0;
    std::memcpy(&first, name.data(), sizeof first);
    const std::uint64_t state = (kStart ^ (shifted(first * kFactor) * kFactor)) * kFactor;
    const std::uint64_t second = shifted((state ^ kWanted) * inverse) * inverse;
    if (!fits_a_name(second)) continue;
    std::memcpy(name.data() + 8, &second, sizeof second);
    names.push_back(std::move(name));
  }
  return names;
}

/// Equally many other names of 16 letters.
inline std::vector<std::string> ordinary_names(std::size_t count) {
  std::vector<std::string> names;
  for (std::uint64_t number = 0; names.size() < count; ++number) {
    std::string name(16, 'a');
    for (std::size_t i = 0; i < 16; ++i)
      name[i] = static_cast<char>('a' + (number * 0x9e3779b97f4a7c15 >> (4 * i) & 15));
    names.push_back(std::move(name));
  }
  return names;
}

/// The shortest of three times.
template <class Work>
double seconds_of(const Work& work) {
  double least = 1e9;
  for (int i = 0; i < 3; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return least;
}

}  // namespace linsep::test

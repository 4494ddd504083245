// Fuzz targets: functions that take any bytes and end the program where something is wrong (README.md).
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace linsep::fuzz {

struct Target {
  std::string_view name;
  void (*run)(std::string_view bytes);
  /// Good inputs of every kind, from which others are made.
  std::vector<std::string> (*seeds)();
  bool is_json = false;  ///< inputs are also changed as JSON
};

const Target& text_target();
const Target& arrays_target();
const Target& pages_target();
const Target& models_target();
const Target& certificates_target();
const Target& checkpoints_target();

/// Ends the program: `what` doesn't hold.
[[noreturn]] inline void finding(const std::string& what) {
  std::fprintf(stderr, "finding: %s\n", what.c_str());
  std::abort();
}
inline void must(bool holds, const char* what) {
  if (!holds) finding(what);
}

/// Whether an input is looked at in every way, not only in the one that finds most. A test does so with all; libFuzzer,
/// which makes up for it by their number, with every eighth, chosen by the bytes: the same ones always do the same.
inline bool spares_time = false;
inline bool is_thorough(std::string_view bytes) {
  return !spares_time || XXH3_64bits(bytes.data(), bytes.size()) % 8 == 0;
}

/// A JSON text as written by the program, in one line: half as long, and read in half the time.
inline std::string in_one_line(std::string_view json) {
  std::string line;
  for (std::size_t i = 0; i < json.size(); ++i) {
    line += json[i];
    if (json[i] != '\n') continue;
    line.pop_back();
    while (i + 1 < json.size() && json[i + 1] == ' ') ++i;
  }
  return line;
}

/// Takes numbers from the front of an input; 0 where it has ended.
class Front {
 public:
  explicit Front(std::string_view bytes) : rest_(bytes) {}

  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const auto value = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return value;
  }
  std::size_t word() {
    const std::size_t low = byte();
    return low + std::size_t{256} * byte();
  }
  /// At most `size` bytes.
  std::string_view bytes(std::size_t size) {
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

/// The bits of a byte, one after another.
class Bits {
 public:
  explicit Bits(std::uint8_t bits) : bits_(bits) {}
  bool next() { return take(2) != 0; }
  /// A number below `choices`, a power of two.
  unsigned take(unsigned choices) {
    const unsigned value = bits_ % choices;
    bits_ /= choices;
    return value;
  }

 private:
  unsigned bits_;
};

}  // namespace linsep::fuzz

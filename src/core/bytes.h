// Plain little-endian writing and reading of numbers, arrays and words, for states kept between two runs.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "linsep/error.h"

namespace linsep {

static_assert(std::endian::native == std::endian::little, "states are written as they lie in memory");

class ByteWriter {
 public:
  template <class T>
  void number(T value) {
    static_assert(std::is_arithmetic_v<T>);
    append(&value, sizeof value);
  }
  /// A count and the numbers.
  template <class T>
  void numbers(const std::vector<T>& values) {
    static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
    number<std::uint64_t>(values.size());
    append(values.data(), values.size() * sizeof(T));
  }
  /// A count and the bytes.
  void text(std::string_view value) {
    // Most of it is a state within a state, so this makes room for just that, instead of twice as much.
    if (value.size() > kLong) bytes_.reserve(bytes_.size() + value.size() + kLong);
    number<std::uint64_t>(value.size());
    append(value.data(), value.size());
  }
  const std::string& bytes() const { return bytes_; }
  /// The same, moved out.
  std::string take() { return std::move(bytes_); }

 private:
  static constexpr std::size_t kLong = std::size_t{1} << 16;

  void append(const void* data, std::size_t size) {
    if (size > 0) bytes_.append(static_cast<const char*>(data), size);
  }
  std::string bytes_;
};

/// Throws an input Error unless `holds`. For conditions that bytes from a file must meet before they are used.
inline void require_state(bool holds, const char* otherwise = "its parts don't fit together") {
  if (!holds) throw input_error(otherwise);
}

/// Reads what a ByteWriter wrote, in the same order. Throws an input Error if the bytes end too early or are left over,
/// or if a number isn't of the kind it is read as.
class ByteReader {
 public:
  /// REQUIRES: `bytes` outlives the reader.
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  T number() {
    static_assert(std::is_arithmetic_v<T>);
    T value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  template <class T>
  std::vector<T> numbers() {
    const std::size_t count = length(sizeof(T));
    std::vector<T> values(count);
    if (count > 0) std::memcpy(values.data(), take(count * sizeof(T)), count * sizeof(T));
    return values;
  }
  /// A number that is neither infinite nor NaN.
  double finite() {
    const auto value = number<double>();
    require_state(std::isfinite(value), "a number in it isn't finite");
    return value;
  }
  /// The same, and not negative.
  double at_least_zero() {
    const double value = finite();
    require_state(value >= 0, "a number in it is below 0");
    return value;
  }
  /// A number that may be infinite, but isn't NaN.
  double ordered() {
    const auto value = number<double>();
    require_state(!std::isnan(value), "a number in it isn't one");
    return value;
  }
  /// How many of something: 0 … 2⁵³.
  std::int64_t count() {
    const auto value = number<std::int64_t>();
    require_state(value >= 0 && value <= kMostCount, "a count in it is out of range");
    return value;
  }
  bool flag() {
    const auto value = number<std::uint8_t>();
    require_state(value <= 1, "a yes or no in it is neither");
    return value == 1;
  }
  /// A value of an enumeration from 0 to `last`.
  template <class E>
  E choice(E last) {
    using Number = std::underlying_type_t<E>;
    const auto value = number<Number>();
    require_state(value >= 0 && value <= static_cast<Number>(last), "a choice in it is unknown");
    return static_cast<E>(value);
  }
  /// Numbers, `size` of them, each finite.
  template <class T>
  std::vector<T> numbers(std::size_t size) {
    std::vector<T> values = numbers<T>();
    require_state(values.size() == size, "its parts don't have the sizes of the data");
    if constexpr (std::is_floating_point_v<T>) {
      require_state(std::all_of(values.begin(), values.end(), [](T x) { return std::isfinite(x); }),
                    "a number in it isn't finite");
    }
    return values;
  }
  /// The same, or none.
  template <class T>
  std::vector<T> numbers_or_none(std::size_t size) {
    ByteReader ahead = *this;
    return numbers<T>(ahead.number<std::uint64_t>() == 0 ? 0 : size);
  }
  /// Numbers below `limit`, each at most once.
  std::vector<std::uint64_t> distinct_below(std::size_t limit) {
    std::vector<std::uint64_t> values = numbers<std::uint64_t>(), sorted = values;
    std::sort(sorted.begin(), sorted.end());
    require_state(sorted.empty() || sorted.back() < limit, "an index in it is out of range");
    require_state(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(), "an index in it comes twice");
    return values;
  }
  std::string text() {
    const std::size_t count = length(1);
    return std::string(take(count), count);
  }
  /// The next text must be `tag`, which names the kind of state that the bytes hold.
  void expect(std::string_view tag) {
    const std::string found = text();
    if (found != tag) {
      throw input_error("this saved state is of another kind: expected \"" + std::string(tag) + "\", found \"" +
                        found.substr(0, 40) + "\"");
    }
  }
  bool at_end() const { return rest_.empty(); }
  void end() const {
    if (!rest_.empty()) throw input_error("this saved state is longer than it should be");
  }

 private:
  static constexpr std::int64_t kMostCount = std::int64_t{1} << 53;

  std::size_t length(std::size_t size_of_one) {
    const auto count = number<std::uint64_t>();
    if (count > rest_.size() / size_of_one) too_short();
    return static_cast<std::size_t>(count);
  }
  const char* take(std::size_t size) {
    if (size > rest_.size()) too_short();
    const char* data = rest_.data();
    rest_.remove_prefix(size);
    return data;
  }
  [[noreturn]] static void too_short() { throw input_error("this saved state ends too early"); }

  std::string_view rest_;
};

}  // namespace linsep

// The types of Arrow's columns that can be read, and single values of an array.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "linsep/table/arrow.h"

namespace linsep::arrow {

struct Column {
  enum class Type {
    kNull,
    kBool,
    kSigned,
    kUnsigned,
    kFloat,    ///< half, single, double
    kDecimal,  ///< an integer of `bytes` bytes, times 10^−scale
    kString,   ///< 32-bit offsets
    kLargeString,
    kStringView,
    kDays,  ///< since 1970
    kTime,  ///< since 1970, `per_second` of them in a second
    kList,  ///< 32-bit offsets
    kLargeList,
    kFixedList,
  };

  std::string name;
  Type type = Type::kNull;
  int bytes = 0;                        ///< of a value with a fixed size
  int scale = 0;                        ///< kDecimal
  std::int64_t per_second = 1;          ///< kTime
  std::int64_t offset = 0;              ///< kTime: seconds by which local time is ahead of the values
  std::string zone;                     ///< kTime: a zone whose local times can't be derived from the values
  std::int64_t size = 0;                ///< kFixedList: values in each list
  std::shared_ptr<const Column> items;  ///< of a list
  std::shared_ptr<const Column> words;  ///< of a dictionary, for whose indices `type` stands

  bool is_string() const { return type == Type::kString || type == Type::kLargeString || type == Type::kStringView; }
  bool is_list() const { return type == Type::kList || type == Type::kLargeList || type == Type::kFixedList; }
  bool is_date() const { return type == Type::kDays || type == Type::kTime; }
  /// The column of the values themselves. For a dictionary, that of the words its indices stand for.
  const Column& values() const { return words ? *words : *this; }
};

/// Throws an input Error that names column and format if values of the type can't be read.
Column read_column(const ArrowSchema& schema, const std::string& name);

/// Value number `i` of a buffer. It need not be aligned.
template <class T>
T value_in(const void* buffer, std::int64_t i) {
  T value;
  std::memcpy(&value, static_cast<const char*>(buffer) + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  return value;
}

/// A string of at most kInlineBytes bytes is stored in the view itself, after its size.
struct StringView {
  std::int32_t size = 0, prefix = 0, buffer = 0, offset = 0;
};
inline constexpr std::int32_t kInlineBytes = 12;

// Below, `i` counts from the beginning of the buffers and includes the array's offset. REQUIRES: check_array has
// passed.

inline bool is_valid(const ArrowArray& array, std::int64_t i) {
  const void* bits = array.n_buffers > 0 ? array.buffers[0] : nullptr;
  return bits == nullptr || ((static_cast<const std::uint8_t*>(bits)[i >> 3] >> (i & 7)) & 1) != 0;
}

/// For a dictionary.
std::int64_t index_at(const Column& column, const ArrowArray& array, std::int64_t i);
/// For kString and kLargeString.
std::int64_t string_begin(const Column& column, const ArrowArray& array, std::int64_t i);
std::int64_t string_end(const Column& column, const ArrowArray& array, std::int64_t i);

/// A value at its actual place, which for a dictionary is in the dictionary.
struct Cell {
  const Column* column = nullptr;
  const ArrowArray* array = nullptr;
  std::int64_t i = 0;
  bool null = false;
};
/// Row `row` of a column, counted from the array's offset.
Cell cell_at(const Column& column, const ArrowArray& array, std::int64_t row);

// REQUIRES for all below: the cell isn't null.

/// The double nearest to a number.
double number_of(const Cell& cell);
/// The bytes of a string.
std::string_view string_of(const Cell& cell);
/// For dates: seconds since 1970, with fractions cut off.
std::int64_t seconds_of(const Cell& cell);
/// The value as CSV would have it. Strings are unchanged, numbers are the shortest decimals that give them back
/// (decimals have all their places), booleans are true and false, dates are 2025-01-31 and times 2025-01-31 17:03:59.
/// Lists are nothing.
std::string written_of(const Cell& cell);
/// The first value of a list and their number, counted from the items' offset.
struct Items {
  std::int64_t begin = 0, size = 0;
};
Items items_of(const Cell& cell);

}  // namespace linsep::arrow

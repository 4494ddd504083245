// The types of Arrow's columns, as far as they can be read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

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
  int bytes = 0;                        ///< of a value, where it has a fixed size
  int scale = 0;                        ///< kDecimal
  std::int64_t per_second = 1;          ///< kTime
  std::int64_t size = 0;                ///< kFixedList: values in each list
  std::shared_ptr<const Column> items;  ///< of a list
  std::shared_ptr<const Column> words;  ///< of a dictionary, whose indices `type` is about

  bool is_string() const { return type == Type::kString || type == Type::kLargeString || type == Type::kStringView; }
  bool is_list() const { return type == Type::kList || type == Type::kLargeList || type == Type::kFixedList; }
  bool is_date() const { return type == Type::kDays || type == Type::kTime; }
  /// What the values are: of a dictionary those that its indices stand for.
  const Column& values() const { return words ? *words : *this; }
};

/// Throws an input Error that names column and format where values of the type can't be read.
Column read_column(const ArrowSchema& schema, const std::string& name);

}  // namespace linsep::arrow

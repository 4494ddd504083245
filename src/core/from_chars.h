// from_chars for numbers of every type. It is the standard's, except for doubles if the library lacks that.
#pragma once

#include <charconv>
#include <type_traits>

#if !defined(__cpp_lib_to_chars)
#include <fast_float/fast_float.h>
#endif

namespace linsep {

/// As std::from_chars.
template <class T>
std::from_chars_result from_chars(const char* begin, const char* end, T& value) {
#if !defined(__cpp_lib_to_chars)
  if constexpr (std::is_floating_point_v<T>) {
    const auto got = fast_float::from_chars(begin, end, value);
    return {got.ptr, got.ec};
  } else {
    return std::from_chars(begin, end, value);
  }
#else
  return std::from_chars(begin, end, value);
#endif
}

}  // namespace linsep

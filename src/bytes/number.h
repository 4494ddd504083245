// Decimal numbers in text, with one meaning on which every reader must agree bit for bit. Also what messages show
// instead of a number.
//
// A number is [+-] digits [. digits] [e [+-] digits] with at least one digit before the exponent. It means the float or
// double nearest to that decimal, ties to even. Underflow gives a denormal or zero and is reported. Overflow is a
// fault.
#pragma once

#include <cstdint>
#include <string>

namespace linsep {

enum class NumberFault {
  kNone,
  kNoDigits,    ///< not the beginning of a number
  kNoExponent,  ///< an 'e' without digits after it
  kTooLarge,    ///< not finite as a V
};

struct NumberEnd {
  const char* end = nullptr;  ///< after the number, or at the fault if there is one
  NumberFault fault = NumberFault::kNone;
  bool tiny = false;  ///< what is written isn't 0, but the value is, or is a double below 2⁻¹⁰²²
};

/// Reads the number at the beginning of [begin, end), as far as it reaches.
template <class V>
NumberEnd parse_number(const char* begin, const char* end, V& value);

extern template NumberEnd parse_number<float>(const char*, const char*, float&);
extern template NumberEnd parse_number<double>(const char*, const char*, double&);

/// Returns whether the number is all there is in [begin, end).
template <class V>
bool parse_whole_number(const char* begin, const char* end, V& value) {
  const NumberEnd got = parse_number(begin, end, value);
  return got.fault == NumberFault::kNone && got.end == end;
}

/// Returns whether [begin, end) is one whole number, but too large for a double.
bool is_too_large(const char* begin, const char* end);

/// Describes what stands at the beginning of [begin, end), a part of one line: a short word in quotes with all but
/// visible ASCII escaped, "a blank", or "the end of the line".
std::string shown(const char* begin, const char* end);

/// Returns whether a word such as "nan", "-inf" or "Infinity" stands at the beginning.
bool looks_infinite(const char* begin, const char* end);

/// The message about a number that isn't 0 as written but is too small for its type. `number` is the text from `shown`.
std::string tiny_message(const std::string& number);

}  // namespace linsep

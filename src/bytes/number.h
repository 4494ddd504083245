// Decimal numbers in text: the one meaning that every reader must agree with, bit for bit; and how what is no number is
// shown in a message.
//
// A number is [+-] digits [. digits] [e [+-] digits] with at least one digit before the exponent. It means the float or
// double nearest to that decimal, ties to even; underflow is a denormal or zero and is told, overflow is a fault.
#pragma once

#include <cstdint>
#include <string>

namespace linsep {

enum class NumberFault {
  kNone,
  kNoDigits,    ///< not the beginning of a number
  kNoExponent,  ///< an 'e' without digits behind it
  kTooLarge,    ///< not finite as a V
};

struct NumberEnd {
  const char* end = nullptr;  ///< behind the number; where the fault is, if there is one
  NumberFault fault = NumberFault::kNone;
  bool tiny = false;  ///< what is written isn't 0, but the value is, or is a double below 2⁻¹⁰²²
};

/// Reads the number at the beginning of [begin, end) as far as it reaches.
template <class V>
NumberEnd parse_number(const char* begin, const char* end, V& value);

extern template NumberEnd parse_number<float>(const char*, const char*, float&);
extern template NumberEnd parse_number<double>(const char*, const char*, double&);

/// Whether the number is all there is in [begin, end).
template <class V>
bool parse_whole_number(const char* begin, const char* end, V& value) {
  const NumberEnd got = parse_number(begin, end, value);
  return got.fault == NumberFault::kNone && got.end == end;
}

/// Whether a number that no double can hold is all there is in [begin, end).
bool is_too_large(const char* begin, const char* end);

/// What stands at the beginning of [begin, end), a part of one line: a short word in quotes, with everything but
/// visible ASCII escaped, "a blank", or "the end of the line".
std::string shown(const char* begin, const char* end);

/// Whether a word such as "nan", "-inf" or "Infinity" stands at the beginning.
bool looks_infinite(const char* begin, const char* end);

/// The message about a number that isn't 0 as written, but too small for its type; `number` as `shown` shows it.
std::string tiny_message(const std::string& number);

}  // namespace linsep

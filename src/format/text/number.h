// Decimal numbers in text: the one meaning that every reader must agree with, bit for bit.
//
// A number is [+-] digits [. digits] [e [+-] digits] with at least one digit before the exponent. It means the float or
// double nearest to that decimal, ties to even; underflow is a denormal or zero and is told, overflow is a fault.
#pragma once

#include <cstdint>

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

}  // namespace linsep

#include "bytes/number.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <limits>

namespace linsep {
namespace {

constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                              1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int kLargestPower = 22;

bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

/// The shape of a number: where it ends, and its digits as an integer if they are few.
struct Scanned {
  NumberEnd result;
  bool negative = false;
  std::uint64_t digits = 0;   ///< wraps around beyond 19 digits
  std::ptrdiff_t count = 0;   ///< of digits
  std::int64_t exponent = 0;  ///< value = digits · 10^exponent; capped far beyond every range
};

const char* scan_digits(const char* p, const char* end, Scanned& s) {
  const char* first = p;
  std::uint64_t digits = s.digits;
  while (p < end && is_digit(*p)) digits = digits * 10 + static_cast<std::uint64_t>(*p++ - '0');
  s.digits = digits;
  s.count += p - first;
  return p;
}

Scanned scan(const char* begin, const char* end) {
  Scanned s;
  const char* p = begin;
  if (p < end && (*p == '-' || *p == '+')) s.negative = *p++ == '-';
  p = scan_digits(p, end, s);
  if (p < end && *p == '.') {
    const char* fraction = p + 1;
    p = scan_digits(fraction, end, s);
    s.exponent = -(p - fraction);
  }
  if (s.count == 0) {
    s.result = {begin, NumberFault::kNoDigits};
    return s;
  }
  if (p < end && (*p == 'e' || *p == 'E')) {
    const char* q = p + 1;
    bool minus = false;
    if (q < end && (*q == '-' || *q == '+')) minus = *q++ == '-';
    if (q == end || !is_digit(*q)) {
      s.result = {q, NumberFault::kNoExponent};
      return s;
    }
    std::int64_t written = 0;
    for (; q < end && is_digit(*q); ++q) {
      if (written < 100000000) written = written * 10 + (*q - '0');
    }
    s.exponent += minus ? -written : written;
    p = q;
  }
  s.result = {p, NumberFault::kNone};
  return s;
}

/// With few digits and a small power of ten, both operands are exact, so one division or product rounds correctly
/// (Clinger 1990). A float is rounded a second time. That can go wrong only outside the range of normal floats, or if
/// the double lies half way between two floats, that is, if its low 29 bits are 1000…0. These cases are left to the
/// caller.
template <class V>
bool from_few_digits(const Scanned& s, V& value) {
  if (s.count > 19 || s.digits > (std::uint64_t{1} << 53)) return false;
  if (s.exponent < -kLargestPower || s.exponent > kLargestPower) return false;
  const auto digits = static_cast<double>(s.digits);
  const double size = s.exponent < 0 ? digits / kPowers[-s.exponent] : digits * kPowers[s.exponent];
  if constexpr (sizeof(V) == sizeof(float)) {
    const bool half_way = (std::bit_cast<std::uint64_t>(size) & 0x1fffffff) == 0x10000000;
    if (size != 0 && (half_way || size < 0x1p-126 || size >= 0x1p127)) return false;
  }
  value = static_cast<V>(s.negative ? -size : size);
  return true;
}

/// Whether the number that begins at `p` has a digit other than 0 before its exponent.
bool is_not_zero(const char* p, const char* end) {
  for (; p < end && *p != 'e' && *p != 'E'; ++p) {
    if (*p >= '1' && *p <= '9') return true;
  }
  return false;
}

template <class V>
bool is_tiny(V value) {
  return sizeof(V) == sizeof(float) ? value == 0 : std::fabs(value) < std::numeric_limits<V>::min();
}

}  // namespace

template <class V>
NumberEnd parse_number(const char* begin, const char* end, V& value) {
  Scanned s = scan(begin, end);
  if (s.result.fault != NumberFault::kNone || from_few_digits(s, value)) return s.result;
  const auto got = fast_float::from_chars(*begin == '+' ? begin + 1 : begin, s.result.end, value);
  if (got.ptr != s.result.end) return {begin, NumberFault::kNoDigits};
  if (!std::isfinite(value)) return {begin, NumberFault::kTooLarge};
  s.result.tiny = is_tiny(value) && is_not_zero(begin, s.result.end);
  return s.result;
}

template NumberEnd parse_number<float>(const char*, const char*, float&);
template NumberEnd parse_number<double>(const char*, const char*, double&);

bool is_too_large(const char* begin, const char* end) {
  double value = 0;
  return parse_number(begin, end, value).fault == NumberFault::kTooLarge && scan(begin, end).result.end == end;
}

std::string shown(const char* begin, const char* end) {
  constexpr int kLongest = 24;
  if (begin == end) return "the end of the line";
  if (*begin == ' ' || *begin == '\t') return "a blank";
  std::string text;
  for (const char* p = begin; p < end && *p != ' ' && *p != '\t'; ++p) {
    if (p - begin == kLongest) {
      text += "…";
      break;
    }
    const auto byte = static_cast<unsigned char>(*p);
    if (byte > 0x20 && byte < 0x7f) {
      text += *p;
    } else {
      text += fmt::format("\\x{:02x}", byte);
    }
  }
  return fmt::format("'{}'", text);
}

bool looks_infinite(const char* begin, const char* end) {
  if (begin < end && (*begin == '+' || *begin == '-')) ++begin;
  if (end - begin < 3) return false;
  std::string word(begin, 3);
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word == "nan" || word == "inf";
}

std::string tiny_message(const std::string& number) {
  return fmt::format(
      "{} is too small for a double: a proof needs numbers of at least 2.3e-308 in size, or 0; multiply the column by "
      "a "
      "power of ten",
      number);
}

}  // namespace linsep

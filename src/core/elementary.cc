// exp: e^x = 2^(n/128)·e^r, with n the nearest integer to 128·x/ln 2 and r = x − n·ln 2/128. The 128 powers of 2 stand
// in a table, with what their rounding left out. A polynomial gives e^r − 1, |r| ≤ 0.0028, so that its rounding errors
// hardly count.
//
// log: x = 2^k·z with z between 0.7 and 1.42. A table holds, for 129 points c, a short number near 1/c and the
// logarithm of that number. z/c − 1 = r, |r| ≤ 0.004, is then found without rounding, because z is cut into two parts
// whose products with the short number are exact. A polynomial gives ln(1 + r). Near 1 only the polynomial is used,
// with r = x − 1, so that no figures are lost there.
//
// Results are put together from the largest part down, with the rounding error of the largest addition carried along
// (Dekker 1971). `pow`, `log2` and `log10` carry the logarithm in two doubles, with 2⁻⁶⁶ of its size as error.
#include "core/elementary.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace linsep::elementary {
namespace {

#include "core/elementary_tables.inc"

constexpr double kInfinite = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();

std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }
double of_bits(std::uint64_t bits) { return std::bit_cast<double>(bits); }

/// A number as the sum of a double and a much smaller one.
struct Pair {
  double high, low;
};

/// a + b without error. REQUIRES: |a| ≥ |b| or a = 0.
Pair ordered_sum(double a, double b) {
  const double sum = a + b;
  return {sum, (a - sum) + b};
}

/// a·b without error (Veltkamp's splitting). REQUIRES: no overflow or underflow on the way.
Pair product(double a, double b) {
  constexpr double kSplit = 0x1p27 + 1;
  const double p = kSplit * a, a1 = (a - p) + p, a2 = a - a1;
  const double q = kSplit * b, b1 = (b - q) + q, b2 = b - b1;
  const double high = a * b;
  return {high, ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2};
}

/// e^(x + low) as scale·(1 + rest). The scale is 2^shift times a power of 2 from the table.
struct Power {
  double scale, rest;
};

/// REQUIRES: |low| tiny compared with 1, and scale·2^±1 an ordinary double.
inline Power power_of_e(double x, double low, std::int64_t shift) {
  constexpr double kRound = 0x1.8p52;  // adding it rounds to an integer, which then stands in the last bits
  const double rounded = x * kStepsPerUnit + kRound, n = rounded - kRound;
  const auto whole = static_cast<std::int64_t>(bits_of(rounded) << 12) >> 12;
  double r = (x - n * kStepHigh) - n * kStepLow;
  if (low != 0) r += low;
  const double r2 = r * r;
  const auto& [power, left_out] = kPowers[whole & 127];
  const auto& c = kExpTerms;
  return {of_bits(bits_of(power) + (static_cast<std::uint64_t>((whole >> 7) + shift) << 52)),
          left_out + r + r2 * ((c[0] + c[1] * r) + r2 * (c[2] + c[3] * r))};
}

/// e^(x + low) if it may overflow or be subnormal. Computed away from the edge, then scaled, which rounds once more.
double exp_at_edge(double x, double low) {
  if (std::isnan(x)) return x;
  if (x > 710) return kInfinite;
  if (x < -746) return 0;
  const Power p = x > 0 ? power_of_e(x, low, -2) : power_of_e(x, low, 100);
  return (p.scale + p.scale * p.rest) * (x > 0 ? 0x1p2 : 0x1p-100);
}

inline double exp_of_sum(double x, double low) {
  if (!(std::abs(x) < 708)) return exp_at_edge(x, low);
  const Power p = power_of_e(x, low, 0);
  return p.scale + p.scale * p.rest;
}

/// A positive number as e^(start + start_low)·(1 + front + back). `front` has at most 37 bits and exceeds `back`, or is
/// 0.
struct Reduced {
  double start, start_low, front, back;
};

/// Reduces 2^shift times the number with these bits. REQUIRES: it is ordinary and positive.
inline Reduced reduce(std::uint64_t bits, std::int64_t shift) {
  const std::uint64_t index = ((bits & 0xfffffffffffffULL) + (1ULL << 44)) >> 45;
  const std::int64_t k = static_cast<std::int64_t>(bits >> 52) - 1023 + (index >= 53 ? 1 : 0);
  const std::uint64_t z = bits - (static_cast<std::uint64_t>(k) << 52);
  const auto& [inverse, log_high, log_low] = kLogs[index];
  const double front = of_bits(z & ~0xffffULL), back = of_bits(z) - front;
  const auto power = static_cast<double>(k + shift);
  return {power * kLn2High + log_high, power * kLn2Low + log_low, front * inverse - 1, back * inverse};
}

/// (ln(1 + r) − r + r²/2)/r³.
inline double log_terms(double r) {
  const double r2 = r * r;
  const auto& c = kLogTerms;
  return (c[0] + c[1] * r) + r2 * ((c[2] + c[3] * r) + r2 * (c[4] + c[5] * r));
}

/// REQUIRES: the number isn't within 2⁻⁹ of 1.
inline double log_of(const Reduced& x) {
  const double r = x.front + x.back, r2 = r * r;
  const Pair sum = ordered_sum(x.start, x.front);
  return sum.high + (((r2 * r) * log_terms(r) - 0.5 * r2) + (sum.low + (x.back + x.start_low)));
}

/// ln(1 + x) for |x| < 2⁻⁸.
inline double log_near_one(double x) {
  const double x2 = x * x;
  return x + ((x2 * x) * log_terms(x) - 0.5 * x2);
}

Pair log_in_two_parts(const Reduced& x) {
  const Pair r = ordered_sum(x.front, x.back), square = product(r.high, r.high);
  const Pair first = ordered_sum(x.start, r.high), second = ordered_sum(first.high, -0.5 * square.high);
  const double small =
      (square.high * r.high) * log_terms(r.high) + (x.start_low + (r.low - r.high * r.low)) - 0.5 * square.low;
  return ordered_sum(second.high, second.low + first.low + small);
}

/// Whether it isn't among the positive ordinary doubles, whose bits are consecutive integers.
inline bool is_special(std::uint64_t bits) { return bits - 0x0010000000000000ULL >= 0x7fe0000000000000ULL; }

/// The logarithm of what is_special: 0, subnormal, negative, infinite or not a number. `finish` goes on from a
/// subnormal number.
template <typename Finish>
double log_at_edge(double x, Finish finish) {
  if (x == 0) return -kInfinite;
  if (x < 0) return kNan;
  if (!(x < kInfinite)) return x;
  return finish(reduce(bits_of(x * 0x1p54), -54));
}

double log_to_base(double x, Pair factor) {
  const auto finish = [&](const Reduced& reduced) {
    const Pair log = log_in_two_parts(reduced), main = product(log.high, factor.high);
    return main.high + (main.low + (log.high * factor.low + log.low * factor.high));
  };
  return is_special(bits_of(x)) ? log_at_edge(x, finish) : finish(reduce(bits_of(x), 0));
}

bool is_whole(double y) { return std::trunc(y) == y; }
bool is_odd(double y) { return std::abs(y) < 0x1p53 && is_whole(y) && (static_cast<std::int64_t>(y) & 1) != 0; }

}  // namespace

double exp(double x) { return exp_of_sum(x, 0); }

double expm1(double x) {
  if (std::abs(x) < 0x1p-54) return x;
  if (std::abs(x) < 0.125) {
    const double x2 = x * x, x4 = x2 * x2;
    const auto& c = kExpm1Terms;
    return x + (0.5 * x2 + (x2 * x) * (((c[0] + c[1] * x) + x2 * (c[2] + c[3] * x)) +
                                       x4 * ((c[4] + c[5] * x) + x2 * (c[6] + c[7] * x))));
  }
  if (!(std::abs(x) < 50)) return x < 0 ? -1 : exp(x);
  const Power p = power_of_e(x, 0, 0);
  const Pair sum = p.scale < 1 ? ordered_sum(-1, p.scale) : ordered_sum(p.scale, -1);
  return sum.high + (sum.low + p.scale * p.rest);
}

double log(double x) {
  if (std::abs(x - 1) < 0x1p-8) return log_near_one(x - 1);
  const std::uint64_t bits = bits_of(x);
  return is_special(bits) ? log_at_edge(x, log_of) : log_of(reduce(bits, 0));
}

double log1p(double x) {
  if (std::abs(x) < 0x1p-8) return log_near_one(x);
  const double sum = 1 + x, lost = x < 1 ? (1 - sum) + x : (x - sum) + 1;
  const std::uint64_t bits = bits_of(sum);
  if (is_special(bits)) return log_at_edge(sum, log_of);
  Reduced reduced = reduce(bits, 0);
  reduced.start_low += lost / sum;
  return log_of(reduced);
}

double log2(double x) { return log_to_base(x, {kLog2EHigh, kLog2ELow}); }

double log10(double x) { return log_to_base(x, {kLog10EHigh, kLog10ELow}); }

double pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (std::isnan(x) || std::isnan(y)) return kNan;
  const bool negative = std::signbit(x) && is_odd(y);
  const double size = std::abs(x), sign = negative ? -1 : 1;
  if (std::isinf(y)) {
    if (size == 1) return 1;
    return (size > 1) == (y > 0) ? kInfinite : 0;
  }
  if (size == 0 || size == kInfinite) return sign * ((size > 1) == (y > 0) ? kInfinite : 0);
  if (x < 0 && !is_whole(y)) return kNan;
  const bool subnormal = is_special(bits_of(size));
  const Pair log = log_in_two_parts(subnormal ? reduce(bits_of(size * 0x1p54), -54) : reduce(bits_of(size), 0));
  const double power = std::clamp(y, -0x1p64, 0x1p64);  // beyond, all but 1 overflows or underflows
  const Pair main = product(log.high, power);
  return sign * exp_of_sum(main.high, main.low + log.low * power);
}

}  // namespace linsep::elementary

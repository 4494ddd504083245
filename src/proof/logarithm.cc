// −ln(k/2^b) = (b − e)·ln 2 − ln c − 2·artanh((x − c)/(x + c)), where k = x·2^e with 1 ≤ x < 2 and c is the nearest of
// 128 points. |x − c|/(x + c) is at most 2⁻⁹, so four terms of artanh's series are enough. The fifth is below 2⁻⁸⁴.
// Everything is computed in units of 2⁻⁶², each step within a unit. That makes less than 200 units in all, or 4 units
// of the result.
#include "proof/logarithm.h"

#include <array>
#include <bit>

#include "exact/number.h"
#include "exact/wide.h"

namespace linsep {
namespace {

constexpr int kBits = 62;  ///< fractional bits within
constexpr int kPoints = 128;
constexpr std::int64_t kError = 4;  ///< bounds the error of the result

/// ln(p/q) in units of 2⁻⁶², rounded down. REQUIRES: 1 < p/q ≤ 2.
std::int64_t log_of(std::uint64_t p, std::uint64_t q) {
  constexpr int kGuard = 40;
  const Integer unit = power_of(2, kBits + kGuard);
  const Integer up = Integer(static_cast<unsigned>(p - q)), down = Integer(static_cast<unsigned>(p + q));
  Integer term = floor_quotient(unit * up, down), sum = 0;
  for (unsigned k = 1; sign_of(term) > 0; k += 2) {
    sum += floor_quotient(term, Integer(k));
    term = floor_quotient(term * up * up, down * down);
  }
  return to_int64(floor_quotient(sum * Integer(2), power_of(2, kGuard)));
}

struct Table {
  std::array<std::int64_t, kPoints> log;  ///< of 1 + (2k + 1)/256
  std::int64_t log_two;

  Table() : log(), log_two(log_of(2, 1)) {
    for (std::size_t k = 0; k < log.size(); ++k) log[k] = log_of(2 * kPoints + 2 * k + 1, 2 * kPoints);
  }
};

}  // namespace

MinusLog minus_log(std::uint64_t k, int bits) {
  static const Table table;
  if (k == std::uint64_t{1} << bits) return {};
  const int exponent = std::bit_width(k) - 1;
  const std::uint64_t x = k << (63 - exponent);  // in units of 2⁻⁶³
  const std::size_t point = (x >> 56) & (kPoints - 1);
  const WideInteger c = (WideInteger{1} << 63) + (static_cast<WideInteger>(2 * point + 1) << 55);
  const WideInteger r = ((x - c) << kBits) / (x + c);
  const WideInteger square = (r * r) >> kBits;
  WideInteger power = r, sum = r;
  for (int n = 3; n <= 7; n += 2) {
    power = (power * square) >> kBits;
    sum += power / n;
  }
  const WideInteger value = WideInteger{bits - exponent} * table.log_two - table.log[point] - 2 * sum;
  const auto rounded = static_cast<std::int64_t>(value >> (kBits - kLogBits));
  return {rounded - kError > 0 ? rounded - kError : 0, rounded + kError};
}

}  // namespace linsep

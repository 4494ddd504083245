// Sums by column in whole units (numeric/fixed_point.h says which): how numbers become units, and what many rows add.
#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "linsep/batch.h"

namespace linsep {

/// A number of units without its fraction; one out of range, which only a saved state can lead to, and NaN become some
/// number.
inline std::int64_t whole_units(double units) {
#ifdef __SSE2__
  return _mm_cvttsd_si64(_mm_set_sd(units));  // what a cast compiles to, but defined for all numbers
#else
  constexpr double kMost = 0x1p62;
  return static_cast<std::int64_t>(std::min(kMost, std::max(-kMost, units)));
#endif
}

/// The whole number nearest to `units`, of equals the even one, in a way that compilers do for several numbers at once:
/// beside 1.5·2⁵² a double has no digits after the point. If |units| > 2⁵¹, some number.
inline std::int64_t nearest_units(double units) {
  constexpr double kBeside = 0x1.8p52;
  return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(units + kBeside) -
                                   std::bit_cast<std::uint64_t>(kBeside));
}

/// sum += term for sums in units. They stay in range where the units rest on the rows at hand; a saved state may say
/// otherwise, and then they wrap around instead of doing something undefined.
inline void add_units(std::int64_t& sum, std::int64_t term) {
  sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(term));
}

/// By what rows are multiplied, if all columns have one unit. Row r's factors are numbers r·stride, r·stride + 1 ….
struct UnitFactors {
  const double* factor = nullptr;
  std::size_t stride = 1;
  double first = 1, second = 1, column = 1, square = 1;  ///< powers of two
};

/// Adds rows times their factors f to sums by column: entry (j, x) adds the whole part of f·first·column·x to
/// sum[j].
void add_in_units(const Batch& rows, const UnitFactors& by, std::int64_t* sum);
/// Three sums for each column, with two factors f and g: entry (j, x) adds the whole parts of f·first·column·x,
/// t = g·second·column·x and t·(x·square) to sum[3j], sum[3j + 1] and sum[3j + 2].
void add_in_units_with_squares(const Batch& rows, const UnitFactors& by, std::int64_t* sum);

}  // namespace linsep

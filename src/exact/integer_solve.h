// Solves for many right sides at once, without fractions: X with A·X = B·denominator. For finders.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "exact/number.h"

namespace linsep {

using IntegerVector = std::vector<Integer>;
using IntegerRows = std::vector<IntegerVector>;

/// X = numerator / denominator, the denominator above 0 and common to all.
struct ExactSolution {
  IntegerRows numerator;
  Integer denominator = 1;
};

/// Up to this size solve_exactly takes next to no time.
#ifdef LINSEP_EXACT_BOOST
constexpr std::size_t kQuickSize = 8;
#else
constexpr std::size_t kQuickSize = 64;
#endif

/// X with A·X = B in lowest terms, so that nothing above 1 divides the denominator and all numerators. Nothing if A is
/// singular. REQUIRES: A is square and as high as B; B has a column.
std::optional<ExactSolution> solve_exactly(const IntegerRows& a, const IntegerRows& b);

/// Divides by what all numerators and the denominator have in common. The denominator is above 0 afterwards.
void bring_to_lowest_terms(ExactSolution& solution);

}  // namespace linsep

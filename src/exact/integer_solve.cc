#include "exact/integer_solve.h"

namespace linsep {
namespace {

Integer common_divisor(const ExactSolution& solution) {
  Integer divisor = solution.denominator;
  for (const IntegerVector& row : solution.numerator) {
    for (const Integer& value : row) {
      if (divisor == 1) return divisor;
      shrink_to_common_divisor(divisor, value);
    }
  }
  return divisor;
}

}  // namespace

void bring_to_lowest_terms(ExactSolution& solution) {
  Integer divisor = common_divisor(solution);
  if (sign_of(solution.denominator) != sign_of(divisor)) divisor = -divisor;
  if (divisor == 1) return;
  divide_exactly(solution.denominator, divisor);
  for (IntegerVector& row : solution.numerator) {
    for (Integer& value : row) divide_exactly(value, divisor);
  }
}

std::optional<ExactSolution> solve_exactly(const IntegerRows& a, const IntegerRows& b) {
  if (a.empty()) return ExactSolution();
  std::optional<ExactSolution> solution = solve_up_to_scale(a, b);
  if (solution) bring_to_lowest_terms(*solution);
  return solution;
}

}  // namespace linsep

// Systems of integers by elimination without fractions (Bareiss 1968), where FLINT isn't at hand.
#include <algorithm>
#include <utility>

#include "exact/integer_solve.h"

namespace linsep {
namespace {

/// One step of Gauss's and Jordan's elimination on row `at`. All entries are minors of the matrix, so the division by
/// the pivot before is exact, and an entry is at most as long as a determinant.
void eliminate(IntegerRows& matrix, std::size_t at, const Integer& before) {
  const IntegerVector& pivot = matrix[at];
  for (std::size_t r = 0; r < matrix.size(); ++r) {
    if (r == at) continue;
    IntegerVector& row = matrix[r];
    for (std::size_t j = at + 1; j < row.size(); ++j) {
      row[j] *= pivot[at];
      subtract_product(row[j], row[at], pivot[j]);
      divide_exactly(row[j], before);
    }
  }
}

}  // namespace

std::optional<ExactSolution> solve_up_to_scale(const IntegerRows& a, const IntegerRows& b) {
  IntegerRows matrix = a;
  for (std::size_t r = 0; r < a.size(); ++r) matrix[r].insert(matrix[r].end(), b[r].begin(), b[r].end());
  Integer before = 1;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const auto from = matrix.begin() + static_cast<std::ptrdiff_t>(k);
    const auto pivot = std::find_if(from, matrix.end(), [k](const IntegerVector& row) { return row[k] != 0; });
    if (pivot == matrix.end()) return std::nullopt;
    std::iter_swap(from, pivot);
    eliminate(matrix, k, before);
    before = matrix[k][k];
  }
  ExactSolution solution;
  solution.denominator = before;
  for (IntegerVector& row : matrix) {
    solution.numerator.emplace_back(row.begin() + static_cast<std::ptrdiff_t>(a.size()), row.end());
  }
  return solution;
}

}  // namespace linsep

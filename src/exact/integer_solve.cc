#include "exact/integer_solve.h"

#ifdef LINSEP_EXACT_BOOST
#include <algorithm>
#include <utility>
#else
#include <flint/flint.h>
#include <flint/fmpz.h>
#include <flint/fmpz_mat.h>
#endif

namespace linsep {
namespace {

// The back end's part, solve_up_to_scale, is X with a denominator that may be below 0 and with common divisors.
// REQUIRES: A has a row.
#ifdef LINSEP_EXACT_BOOST

// By elimination without fractions (Bareiss 1968), if FLINT isn't at hand.

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

#else

// By FLINT, with Dixon's lifting, and elimination for small systems.

/// Below this size elimination without fractions is quicker than lifting.
constexpr std::size_t kSmall = 16;

/// FLINT caches memory for each thread and frees it only when asked. This asks when the thread ends.
struct ThreadCache {
  ThreadCache() = default;
  ThreadCache(const ThreadCache&) = delete;
  ThreadCache& operator=(const ThreadCache&) = delete;
  ~ThreadCache() { flint_cleanup(); }
};

/// FLINT's matrix, owned.
class FlintMatrix {
 public:
  FlintMatrix(std::size_t rows, std::size_t columns) {
    fmpz_mat_init(matrix_, static_cast<slong>(rows), static_cast<slong>(columns));
  }
  explicit FlintMatrix(const IntegerRows& rows) : FlintMatrix(rows.size(), rows.empty() ? 0 : rows.front().size()) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < rows[i].size(); ++j) fmpz_set_mpz(entry(i, j), rows[i][j].get_mpz_t());
    }
  }
  FlintMatrix(const FlintMatrix&) = delete;
  FlintMatrix& operator=(const FlintMatrix&) = delete;
  ~FlintMatrix() { fmpz_mat_clear(matrix_); }

  fmpz* entry(std::size_t i, std::size_t j) {
    return fmpz_mat_entry(matrix_, static_cast<slong>(i), static_cast<slong>(j));
  }
  fmpz_mat_struct* get() { return matrix_; }

 private:
  fmpz_mat_t matrix_;
};

std::optional<ExactSolution> solve_up_to_scale(const IntegerRows& a, const IntegerRows& b) {
  thread_local const ThreadCache kCache;
  FlintMatrix left(a), right(b), x(b.size(), b.front().size());
  fmpz_t denominator;
  fmpz_init(denominator);
  const int solved = a.size() < kSmall ? fmpz_mat_solve_fflu(x.get(), denominator, left.get(), right.get())
                                       : fmpz_mat_solve_dixon_den(x.get(), denominator, left.get(), right.get());
  std::optional<ExactSolution> solution;
  if (solved != 0) {
    solution.emplace();
    fmpz_get_mpz(solution->denominator.get_mpz_t(), denominator);
    solution->numerator.assign(b.size(), IntegerVector(b.front().size()));
    for (std::size_t i = 0; i < b.size(); ++i) {
      for (std::size_t j = 0; j < b[i].size(); ++j) {
        fmpz_get_mpz(solution->numerator[i][j].get_mpz_t(), x.entry(i, j));
      }
    }
  }
  fmpz_clear(denominator);
  return solution;
}

#endif

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

// Systems of integers by FLINT: Dixon's lifting, and elimination for small ones.
#include "exact/integer_solve.h"

#include <flint/flint.h>
#include <flint/fmpz.h>
#include <flint/fmpz_mat.h>

namespace linsep {
namespace {

/// Below this size elimination without fractions is quicker than lifting.
constexpr std::size_t kSmall = 16;

/// FLINT caches memory for each thread and frees it only when asked: this asks when the thread ends.
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

}  // namespace

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

}  // namespace linsep

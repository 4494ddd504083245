// Exact linear algebra of the finder: independent rows modulo a prime, Dixon's solve (FLINT), witnesses on a support.
#pragma once

#include <gmpxx.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace linsep {

using IntegerVector = std::vector<mpz_class>;
using IntegerRows = std::vector<IntegerVector>;

/// Rows that are independent, found one by one modulo 2⁶¹ − 1. What it calls independent is so over the rationals; what
/// it calls dependent is so but for a chance of about one in 2⁶¹ times the size: whoever relies on that checks it.
class ModularSpan {
 public:
  explicit ModularSpan(std::size_t columns) : columns_(columns) {}

  /// Takes the row in if it is independent of those taken before.
  bool add(const IntegerVector& row);
  std::size_t rank() const { return pivot_.size(); }
  /// The rows taken and these columns form a nonsingular matrix. One column for each row taken, in that order.
  const std::vector<std::size_t>& pivots() const { return pivot_; }

 private:
  std::size_t columns_;
  std::vector<std::vector<std::uint64_t>> echelon_;
  std::vector<std::size_t> pivot_;
};

/// X with A·X = B·denominator, denominator above 0.
struct ExactSolution {
  IntegerRows numerator;
  mpz_class denominator = 1;
};
/// REQUIRES: A is square and as high as B. Nothing when A is singular.
std::optional<ExactSolution> solve_exactly(const IntegerRows& a, const IntegerRows& b);

/// α ≥ 0, not all 0, with Σ α_i·row_i = 0 exactly, or nothing where this finds none. Rows whose share `guess` is
/// largest are solved for; the others, beyond the rank, keep their guess, rounded. Every equation is checked.
std::optional<IntegerVector> exact_witness(const IntegerRows& rows, std::span<const mpq_class> guess);

/// Divides by the greatest common divisor.
void reduce_content(IntegerVector& vector);

}  // namespace linsep

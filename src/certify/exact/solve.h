// Exact linear algebra of the finder: independent rows modulo a prime, witnesses on a support.
#pragma once

#include "exact/number.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "exact/integer_solve.h"

namespace linsep {

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

/// α ≥ 0, not all 0, with Σ α_i·row_i = 0 exactly, or nothing where this finds none. Rows whose share `guess` is
/// largest are solved for; the others, beyond the rank, keep their guess, rounded. Every equation is checked.
std::optional<IntegerVector> exact_witness(const IntegerRows& rows, std::span<const Rational> guess);

/// Divides by the greatest common divisor.
void reduce_content(IntegerVector& vector);

bool all_zero(const IntegerVector& vector);

/// Doubles as integers, all by one power of two: values = integers·unit, the greatest unit that does. REQUIRES: finite.
IntegerVector integers_of(const std::vector<double>& values, double* unit = nullptr);

}  // namespace linsep

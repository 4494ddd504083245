// Exact linear algebra of the finder: independent rows modulo a prime, witnesses on a support, dense systems, spans.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "exact/integer_solve.h"
#include "exact/number.h"

namespace linsep {

/// Finds independent rows one by one modulo 2⁶¹ − 1. Rows that it calls independent are so over the rationals. Rows
/// that it calls dependent are so except for a chance of about one in 2⁶¹ times the size, and whoever relies on that
/// checks it.
class ModularSpan {
 public:
  explicit ModularSpan(std::size_t columns) : columns_(columns) {}

  /// Takes the row in if it is independent of those taken before.
  bool add(const IntegerVector& row);
  std::size_t rank() const { return pivot_.size(); }
  /// The rows taken and these columns form a nonsingular matrix. There is one column for each row taken, in that order.
  const std::vector<std::size_t>& pivots() const { return pivot_; }

 private:
  std::size_t columns_;
  std::vector<std::vector<std::uint64_t>> echelon_;
  std::vector<std::size_t> pivot_;
};

/// α ≥ 0, not all 0, with Σ α_i·row_i = 0 exactly, or nothing if this finds none. It solves for the rows whose share
/// `guess` is largest. The others, beyond the rank, keep their guess, rounded. Every equation is checked.
std::optional<IntegerVector> exact_witness(const IntegerRows& rows, std::span<const Rational> guess);

/// Divides by the greatest common divisor.
void reduce_content(IntegerVector& vector);

bool all_zero(const IntegerVector& vector);

/// Doubles as integers, all by one power of two: values = integers·unit, with the largest unit that works. REQUIRES:
/// finite.
IntegerVector integers_of(const std::vector<double>& values, double* unit = nullptr);

// Dense systems over the integers in steps that poll (core/deadline.h).
//
// Problem: X with A·X = B.
// Method: Dixon's (1982), as in exact/lifting.h. A is factored modulo p once. Then each right side is solved digit by
// digit, with products of A's limbs in machine integers, and fractions are recovered now and then. A recovered fraction
// counts once A·x − b, which is 0 modulo p^k, is known to be below p^k.
// Cost: n³/3 products, then (limbs + 1)·n² per digit.

/// The result of solve_exactly, computed for larger systems by steps that poll.
std::optional<ExactSolution> solve_in_steps(const IntegerRows& a, const IntegerRows& b);

// ExactSpan is the span of a witness's rows, and what is left of other rows when it is divided out.
//
// Every w with z·w ≥ 0 on all rows is 0 on the rows of a witness, so on their span. With pivot columns P (as many as
// the rank) and free columns F, a row of the span has z_F = z_P·C. The rest of any row is z_F − z_P·C. A weight vector
// w_F on rests is the weight vector (−C·w_F, w_F) on rows, and that is 0 on the span. Everything is over integers, up
// to positive scales.

class ExactSpan {
 public:
  /// The span {0} of vectors of this size.
  explicit ExactSpan(std::size_t size);

  /// Makes it the span of `basis`. Returns false and changes nothing if the rows aren't independent.
  bool set(const IntegerRows& basis);

  std::size_t size() const { return size_; }
  std::size_t rank() const { return pivot_.size(); }
  const std::vector<std::size_t>& pivot_columns() const { return pivot_; }
  const std::vector<std::size_t>& free_columns() const { return free_; }
  /// C = numerator / denominator, with a row for each pivot column and a column for each free one.
  const ExactSolution& relation() const { return relation_; }

  /// A positive multiple of z_F − z_P·C. If all of it is zero, z lies in the span.
  IntegerVector rest(const IntegerVector& z) const;
  bool contains(const IntegerVector& z) const;
  /// A positive multiple of (−C·w_F, w_F).
  IntegerVector lift(const IntegerVector& free_weights) const;
  /// c with Σ c_b·basis_b = −t, one column. REQUIRES: t lies in the span.
  ExactSolution combination(const IntegerVector& t) const;

 private:
  std::size_t size_;
  std::vector<std::size_t> pivot_, free_;
  IntegerRows basis_;
  ExactSolution relation_;
};

}  // namespace linsep

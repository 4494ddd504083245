// ExactSpan: the span of a witness's rows, and what is left of other rows when it is divided out.
//
// Every w with z·w ≥ 0 on all rows is 0 on the rows of a witness, so on their span. With pivot columns P (as many as
// the rank) and free columns F, a row of the span has z_F = z_P·C. The rest of any row is z_F − z_P·C; a weight vector
// w_F on rests is the weight vector (−C·w_F, w_F) on rows, and that is 0 on the span. All over integers, up to positive
// scales.
#pragma once

#include <cstddef>
#include <vector>

#include "certify/exact/solve.h"

namespace linsep {

class ExactSpan {
 public:
  /// The span {0} of vectors of this size.
  explicit ExactSpan(std::size_t size);

  /// The span of `basis`. Returns false, and changes nothing, when the rows aren't independent.
  bool set(const IntegerRows& basis);

  std::size_t size() const { return size_; }
  std::size_t rank() const { return pivot_.size(); }
  const std::vector<std::size_t>& pivot_columns() const { return pivot_; }
  const std::vector<std::size_t>& free_columns() const { return free_; }
  /// C = numerator / denominator, a row for each pivot column and a column for each free one.
  const ExactSolution& relation() const { return relation_; }

  /// A positive multiple of z_F − z_P·C. All zero: z lies in the span.
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

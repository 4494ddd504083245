// A witness is a set of rows that no linear classifier separates, with the weights that prove it. This file also finds
// one for a few points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "certify/exact/rows.h"
#include "certify/exact/solve.h"
#include "core/deadline.h"

namespace linsep {

/// Rows and weights above 0 with Σ α_i z_i = 0, ascending by row. The weights are integers without a common divisor.
using Witness = std::vector<std::pair<std::int64_t, Integer>>;

/// The same ratios as integers without a common divisor.
IntegerVector as_integers(const std::vector<Rational>& values);

/// Whether z_a is a negative multiple of z_b.
bool opposite(const ExactRow& a, const ExactRow& b);

/// The weights, given in any order, in the form of a witness.
Witness as_witness(std::vector<std::pair<std::int64_t, Rational>> weights);

/// The witness of two opposite rows. Empty if they aren't.
Witness witness_of_pair(const ExactRow& a, const ExactRow& b);

// ExactSimplex finds the separator or witness of a few points, over integers. It is always right and always ends.
//
// Problem: min ‖Σ α_i z_i‖₁ over α ≥ 0, Σ α_i = 1. By duality that is max over |w_j| ≤ 1 of min_i z_i·w. The value is 0
// exactly if the points have a witness, which is α. Otherwise w separates them all.
// Method: The primal simplex method with an explicit basis inverse kept without fractions (Edmonds 1967, Bareiss 1968).
// The point furthest on the wrong side enters. After a step that didn't lower the value, Bland's rule (1977) chooses
// until one does, so it can't cycle. Points can be added between two calls, and the basis stays.
// Cost: (m + 1)² products per step, of integers whose length grows to (m + 1) times that of the data's.

class ExactSimplex {
 public:
  enum class End {
    kSeparator,  ///< `weights()` has z·w > 0 on every point
    kWitness,    ///< `alpha()` has Σ α_i z_i = 0
    kStopped,    ///< the deadline has expired
  };

  /// Points have this many coordinates.
  explicit ExactSimplex(std::size_t size);

  void add(IntegerVector point);
  std::size_t points() const { return point_.size(); }

  /// Polls (core/deadline.h). After an Expired nothing more may be asked of it. REQUIRES: there is a point.
  End solve(const Deadline& deadline);

  /// After kSeparator: w, up to a positive scale.
  IntegerVector weights() const;
  /// After kWitness: one α ≥ 0 for each point, up to a positive scale.
  IntegerVector alpha() const;

 private:
  /// A basis variable, which is a point, or the positive or negative part of what is missing in a coordinate.
  struct Basic {
    std::size_t index = 0;  ///< below 2·size_: coordinate index/2, negative part if odd. After that the points
    bool missing(std::size_t size) const { return index < 2 * size; }
  };

  void begin();
  void poll_row() const;
  void price();
  bool choose_entering(std::size_t& entering) const;
  IntegerVector column_of(std::size_t entering) const;
  std::size_t choose_leaving(const IntegerVector& column) const;
  void pivot(std::size_t leaving, const IntegerVector& column, std::size_t entering);

  std::size_t size_;
  std::vector<IntegerVector> point_;
  std::vector<Basic> basis_;  ///< size_ + 1 of them
  IntegerRows inverse_;       ///< the basis inverse times determinant_
  Integer determinant_ = 1;   ///< above 0
  IntegerVector price_;       ///< dual values times determinant_. The last is the value reached
  bool bland_ = false;
};

}  // namespace linsep

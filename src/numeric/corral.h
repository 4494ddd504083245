// Corral: the independent points that carry a point of least norm, with their weights, as Wolfe's method keeps them.
//
// Wolfe, "Finding the nearest point in a polytope", 1976: when a point has joined, the weights go towards those of the
// affine minimum as far as they stay positive, and what reached 0 leaves; until all weights of the affine minimum are
// positive. With two hulls weights sum to 1 over each of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "numeric/qr_factor.h"

namespace linsep {

class Corral {
 public:
  /// Points have `size` coordinates and belong to one of `hulls` hulls, one or two. A weight of at most `no_weight` is
  /// treated as not positive.
  Corral(std::size_t size, std::size_t hulls, double no_weight) : factor_(size, hulls), no_weight_(no_weight) {}

  std::size_t size() const { return index_.size(); }
  bool empty() const { return index_.empty(); }
  bool contains(std::size_t index) const;
  /// The points by the caller's numbers, and their weights.
  const std::vector<std::size_t>& index() const { return index_; }
  const std::vector<double>& weight() const { return weight_; }
  std::size_t hull(std::size_t c) const { return hull_[c]; }
  const CorralFactor& factor() const { return factor_; }

  /// Returns false, and changes nothing, where the point depends on the others but for rounding.
  bool push(std::size_t index, std::span<const double> point, std::size_t hull, double weight);
  /// Goes to the affine minimum, or as far as the hulls reach. REQUIRES: every hull has a point.
  void minor_cycles();
  /// Divides the weights by their sum over each hull: rounding is taken off.
  void normalise();
  /// Without points or factor.
  void clear();
  /// Points and weights of a saved state; the factor has to be made anew.
  void set(std::vector<std::size_t> index, std::vector<double> weight);

 private:
  void drop(std::size_t c);

  CorralFactor factor_;
  double no_weight_;
  std::vector<std::size_t> index_;
  std::vector<std::uint8_t> hull_;
  std::vector<double> weight_;
};

}  // namespace linsep

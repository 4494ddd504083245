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

namespace linsep {

/// A QR factor of a few points, each followed by a 1, that columns can be added to and removed from.
///
/// With columns a_i = (z_i, 1) = Q·R, the point of least norm in the affine hull of the z_i is Σ x_i z_i with
/// x = R⁻¹q / (q·q), q being the last row of Q: because R⁻ᵀ1 = q. Only R is solved with, so accuracy is lost with the
/// condition number of the points and not with its square, as it would be by way of the Gram matrix.
///
/// With two hulls each point is followed by (1, 0) or (0, 1), and x = R⁻¹(μ_0·q_0 + μ_1·q_1) has the least norm among
/// the x whose weights sum to 1 in each hull; μ is what the two sums ask for.
class CorralFactor {
 public:
  /// Points have `size` coordinates and belong to one of `hulls` hulls, one or two.
  explicit CorralFactor(std::size_t size, std::size_t hulls = 1) : hulls_(hulls), height_(size + hulls) {}

  std::size_t columns() const { return r_.size(); }
  /// Adds a point as last column. Returns false, and changes nothing, when it lies in the affine hull of the others but
  /// for rounding.
  bool push(std::span<const double> point, std::size_t hull = 0);
  /// Removes column `c`; later ones move up.
  void remove(std::size_t c);
  void clear();

  /// The weights x (they sum to 1 in each hull) of the point of least norm. REQUIRES: every hull has a point.
  void affine_minimum(std::vector<double>& x) const;
  /// Adds to `v` the shortest vector that gives every point of a hull the same product with it: `score` are those of v,
  /// computed from the points themselves. Takes away what rounding left in v, where points are long and v is short.
  void level(std::vector<double> score, std::span<double> v) const;

 private:
  void solve(std::vector<double>& x) const;  ///< R⁻¹x
  double* q(std::size_t c) { return q_.data() + c * height_; }
  const double* q(std::size_t c) const { return q_.data() + c * height_; }

  std::size_t hulls_, height_;
  std::vector<double> q_;               ///< orthonormal columns
  std::vector<std::vector<double>> r_;  ///< column c has c + 1 entries
};

/// How far weights can go from `lambda` towards `target` before one of those that are to become `no_weight` or less
/// reaches 0, at most all the way; and which one that is. REQUIRES: there is such a weight.
struct Reach {
  double step = 1;
  std::size_t blocking = 0;
};
Reach reach_towards(std::span<const double> target, std::span<const double> lambda, double no_weight);

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
  void normalize();
  /// Without points or factor.
  void clear();
  /// Points and weights of a saved state; the factor has to be recomputed.
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

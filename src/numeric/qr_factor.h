// CorralFactor: a QR factor of a few points, each followed by a 1, that columns can be added to and removed from.
//
// With columns a_i = (z_i, 1) = Q·R, the point of least norm in the affine hull of the z_i is Σ x_i z_i with
// x = R⁻¹q / (q·q), q being the last row of Q: because R⁻ᵀ1 = q. Only R is solved with, so accuracy is lost with the
// condition number of the points and not with its square, as it would be by way of the Gram matrix.
//
// With two hulls each point is followed by (1, 0) or (0, 1), and x = R⁻¹(μ_0·q_0 + μ_1·q_1) has the least norm among
// the x whose weights sum to 1 in each hull; μ is what the two sums ask for.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace linsep {

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

}  // namespace linsep

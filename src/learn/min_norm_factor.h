// CorralFactor: a QR factor of a few points, each followed by a 1, that columns can be added to and removed from.
//
// With columns a_i = (z_i, 1) = Q·R, the point of least norm in the affine hull of the z_i is Σ x_i z_i with
// x = R⁻¹q / (q·q), q being the last row of Q: because R⁻ᵀ1 = q. Only R is solved with, so accuracy is lost with the
// condition number of the points and not with its square, as it would be by way of the Gram matrix.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace linsep {

class CorralFactor {
 public:
  /// Points have `size` coordinates.
  explicit CorralFactor(std::size_t size) : height_(size + 1) {}

  std::size_t columns() const { return r_.size(); }
  /// Adds a point as last column. Returns false, and changes nothing, when it lies in the affine hull of the others but
  /// for rounding.
  bool push(std::span<const double> point);
  /// Removes column `c`; later ones move up.
  void remove(std::size_t c);
  void clear();

  /// The weights x (they sum to 1) of the point of least norm in the affine hull.
  void affine_minimum(std::vector<double>& x) const;

 private:
  double* q(std::size_t c) { return q_.data() + c * height_; }
  const double* q(std::size_t c) const { return q_.data() + c * height_; }

  std::size_t height_;
  std::vector<double> q_;               ///< orthonormal columns
  std::vector<std::vector<double>> r_;  ///< column c has c + 1 entries
};

}  // namespace linsep

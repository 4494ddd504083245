// L1Quadratic: the small problem inside of proximal Newton methods, by coordinate descent.
//
//   min over u of ½(u − w)ᵀH(u − w) − v·(u − w) + R(u)        R the penalty (penalty.h), H symmetric, positive
//   semidefinite
//
// H is held whole, so that a step of one coordinate costs a row of it and a coordinate that stays where it is costs
// nothing.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "learn/margin/penalty.h"

namespace linsep {

class L1Quadratic {
 public:
  /// `size` coordinates, H = 0.
  void begin(std::size_t size) {
    size_ = size;
    hessian_.assign(size * size, 0);
  }
  std::size_t size() const { return size_; }
  double* row(std::size_t k) { return hessian_.data() + k * size_; }

  /// Adds factor·s·sᵀ to H, and factor·t·s to `v`.
  void add_square(std::span<const double> s, double factor, double t, std::span<double> v);

  /// Moves u from w to where no coordinate violates its optimality by more than `tolerance`, or until `most_sweeps`
  /// are done; polls on the way. Returns how many sweeps it took. `v` becomes v − H(u − w).
  int solve(const Penalty& penalty, std::span<double> v, std::span<double> u, double tolerance, int most_sweeps);

 protected:
  /// Moves one coordinate to where it is best. Returns by how much it violated its optimality.
  double move(const Penalty& penalty, std::size_t k, std::span<double> v, std::span<double> u);

 private:
  std::size_t size_ = 0;
  std::vector<double> hessian_;
};

}  // namespace linsep

// L1Quadratic: the small problem inside of proximal Newton methods, by coordinate descent.
//
//   min over u of ½(u − w)ᵀH(u − w) − v·(u − w) + R(u)        R the penalty (penalty.h), H symmetric, positive
//   semidefinite
//
// H is held whole, so that a step of one coordinate costs a row of it and a coordinate that stays where it is costs
// nothing.
//
// Coordinates may be weights of several classes. Moving the weights of all classes of a feature alike changes no
// probability, so that H doesn't resist it, and coordinates one by one would get there slowly; nor does it resist much
// if the classes that stay behind have hardly any probability. So the weights of a feature also move together: all of
// them, and those that aren't 0.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "learn/margin/penalty.h"
#include "learn/margin/proximal_step.h"

namespace linsep {

class L1Quadratic {
 public:
  /// Coordinates of one feature. `whole`: all classes that take part.
  struct Block {
    std::size_t begin = 0, size = 0;
    bool whole = false;
  };

  /// `size` coordinates, with the H whose upper triangle is `upper`(k, l), k ≤ l.
  template <class Upper>
  void begin(std::size_t size, const Upper& upper) {
    size_ = size;
    hessian_.resize(size * size);
    for (std::size_t k = 0; k < size; ++k) {
      double* h = row(k);
      for (std::size_t l = k; l < size; ++l) h[l] = upper(k, l);
    }
    mirror();
  }
  std::size_t size() const { return size_; }
  double* row(std::size_t k) { return hessian_.data() + k * size_; }

  /// Adds factor·s·sᵀ to H, and factor·t·s to `v`.
  void add_square(std::span<const double> s, double factor, double t, std::span<double> v);

  /// Moves u from w to where no coordinate violates its optimality by more than `tolerance`, or until `most_sweeps`
  /// are done; polls on the way. Returns how many sweeps it took. `v` becomes v − H(u − w). REQUIRES: the blocks make
  /// up all coordinates, and are whole if the penalty is grouped; or there are none, and each coordinate stands by
  /// itself.
  int solve(const JointPenalty& penalty, std::span<const Block> blocks, std::span<double> v, std::span<double> u,
            double tolerance, int most_sweeps);

  /// The minimizer from `start`, where the greatest violation is `worst`. H has `diagonal`, which the step damps until
  /// the model is credible.
  std::vector<double> minimizer(const JointPenalty& penalty, std::span<const Block> blocks, std::span<const double> v,
                                std::span<const double> start, std::span<const double> diagonal, double worst,
                                ProximalStep& step);

 private:
  void mirror();
  /// Moves one coordinate to where it is best. Returns by how much it violated its optimality.
  double move(const Penalty& penalty, std::size_t k, std::span<double> v, std::span<double> u);
  double move_group(const Penalty& penalty, const Block& block, double curvature, std::span<double> v,
                    std::span<double> u, double tolerance);
  /// Moves the block's weights by the same amount, those that are 0 too if `zeros`.
  void shift(const Penalty& penalty, const Block& block, bool zeros, std::span<double> v, std::span<double> u,
             double tolerance);
  /// At least the greatest eigenvalue of H on the block.
  double greatest_curvature(const Block& block);

  std::size_t size_ = 0;
  std::vector<double> hessian_;
  std::vector<double> curvature_;                        // by block
  std::vector<double> start_, pull_, gradient_, jumps_;  // of a block
  std::vector<std::size_t> places_;
};

}  // namespace linsep

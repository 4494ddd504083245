// SoftmaxQuadratic: the small problem (l1_quadratic.h) with weights of several classes, by descent on a feature's
// weights at a time.
//
// Moving the weights of all classes of a feature alike changes no probability, so that H doesn't resist it, and
// coordinates one by one would get there slowly; nor does it resist much where the classes that stay behind have hardly
// any probability. So the weights of a feature also move together: all of them, and those that aren't 0.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "learn/margin/l1_quadratic.h"

namespace linsep {

class SoftmaxQuadratic : public L1Quadratic {
 public:
  /// Coordinates of one feature. `whole`: all classes that take part.
  struct Block {
    std::size_t begin = 0, size = 0;
    bool whole = false;
  };

  /// As L1Quadratic::solve. REQUIRES: the blocks make up all coordinates, and are whole where the penalty is grouped.
  int solve(const JointPenalty& penalty, std::span<const Block> blocks, std::span<double> v, std::span<double> u,
            double tolerance, int most_sweeps);

 private:
  double move_group(const Penalty& penalty, const Block& block, double curvature, std::span<double> v,
                    std::span<double> u, double tolerance);
  /// Moves the block's weights by the same amount, those that are 0 too where `zeros`.
  void shift(const Penalty& penalty, const Block& block, bool zeros, std::span<double> v, std::span<double> u,
             double tolerance);
  /// At least the greatest eigenvalue of H on the block.
  double greatest_curvature(const Block& block);

  std::vector<double> curvature_;                        // by block
  std::vector<double> start_, pull_, gradient_, jumps_;  // of a block
  std::vector<std::size_t> places_;
};

}  // namespace linsep

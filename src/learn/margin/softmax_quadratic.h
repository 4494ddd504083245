// SoftmaxQuadratic: the small problem (l1_quadratic.h) with weights of several classes, by descent on a feature's
// weights at a time.
//
// Moving the weights of all classes of a feature alike changes no probability, so that H hardly resists it, and
// coordinates one by one would get there slowly: where a feature has all of its classes, it also moves as a whole.
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
  void shift(const Penalty& penalty, const Block& block, std::span<double> v, std::span<double> u, double tolerance);
  /// At least the greatest eigenvalue of H on the block.
  double greatest_curvature(const Block& block);

  std::vector<double> curvature_;               // by block
  std::vector<double> start_, pull_, gradient_;  // of a block
};

}  // namespace linsep

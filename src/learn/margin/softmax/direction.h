// SoftmaxDirection: the step of Newton's method by conjugate gradients, one product with the Hessian at a time.
//
// Conjugate gradients see columns less their mean by D (row_sums.h), class by class, which the class's offset makes up
// for: b′_c = b_c + mean_c·θ_c. Directions go from b′ to b, gradients and products the other way. Then the diagonal is
// a good scale, and frequent columns and offsets no longer stand in each other's way.
#pragma once

#include <vector>

#include "core/bytes.h"
#include "learn/margin/newton_direction.h"
#include "learn/margin/softmax/row_sums.h"
#include "learn/margin/softmax/task.h"

namespace linsep {

class SoftmaxDirection {
 public:
  explicit SoftmaxDirection(const SoftmaxTask& task) : task_(task) {}

  /// Begins to solve Hessian·step = −gradient, of weights and offsets; `sums` are those of the gradient's pass, `step`
  /// the units of what is curved. The residual is to fall to `accuracy` times the first one, in the scaled norm.
  void begin(const SoftmaxSums& sums, double step, std::vector<double> gradient, double accuracy);

  /// What the next product is wanted of, or, once none is, the step.
  const std::vector<double>& direction() const { return q_; }
  /// At least |q_c·(x_i, 1)| of every row and class.
  double farthest() const;
  /// Takes the product, without q itself. True when another one is wanted.
  bool advance(std::vector<double> product);

  void save(ByteWriter& writer) const;
  /// `ended`: no product is wanted any more. Throws an input Error where the state doesn't fit the task.
  void load(ByteReader& reader, bool begun, bool ended);

 private:
  bool has_offset(std::size_t c) const { return !task_.settings().origin && task_.active(c); }
  void set_direction(const std::vector<double>& centred);
  void to_centred(std::vector<double>& gradient) const;

  const SoftmaxTask& task_;
  NewtonDirection direction_;
  std::vector<double> mean_, q_;
};

}  // namespace linsep

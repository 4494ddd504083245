// Conjugate gradients for S·θ = b with S symmetric and positive semidefinite, one product S·p at a time: the caller
// makes the product (a pass over the rows) and hands it in. Hestenes & Stiefel, 1952.
#pragma once

#include <vector>

#include "core/bytes.h"

namespace linsep {

/// From θ = 0, so that for a singular S with b in its range θ tends to the solution of least norm.
class ConjugateGradients {
 public:
  /// Begins with θ = 0.
  void begin(std::vector<double> b);
  /// p, of which the next step wants S·p.
  const std::vector<double>& direction() const { return p_; }
  /// Takes S·p and makes one step.
  void step(const std::vector<double>& product);

  const std::vector<double>& theta() const { return theta_; }
  /// ‖b − S·θ‖ / ‖b‖ by the recurrence; 0 when b = 0.
  double relative_residual() const;
  /// No step is possible any more: the direction has no curvature above rounding error, or the residual is 0.
  bool exhausted() const { return exhausted_; }

  void save(ByteWriter& writer) const;
  /// Of `size` equations, or none before they have begun.
  void load(ByteReader& reader, std::size_t size);

 private:
  std::vector<double> theta_, r_, p_;
  double rr_ = 0;  ///< ‖r‖²
  double bb_ = 0;  ///< ‖b‖²
  bool exhausted_ = false;
};

}  // namespace linsep

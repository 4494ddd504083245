// NewtonDirection: the step of Newton's method, by conjugate gradients that ask for one product with the Hessian at a
// time (Lin, Weng & Keerthi, 2008), scaled by the Hessian's diagonal or by a preconditioner of the caller's.
//
// The Hessian is I + Σ D_i x_i x_iᵀ − s sᵀ/S with S = Σ D_i and s = Σ D_i x_i (newton.cc). The caller makes
// Σ D_i (x_i·q − s·q/S) x_i, which is all of the product with q but q itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "core/fields.h"

namespace linsep {

class NewtonDirection {
 public:
  /// x ← P·x with P, symmetric and positive definite, near the Hessian's inverse. None: the Hessian's diagonal.
  /// With it, directions have short numbers (kernel/dense_kernels.h), with which blocks of dense rows are scored
  /// faster.
  using Precondition = std::function<void(std::span<double>)>;
  void set_precondition(Precondition precondition) { precondition_ = std::move(precondition); }

  /// Begins to solve Hessian·step = −gradient. `curved_column` is s, `square` has Σ D_i x_ij², and `curved` is S, or 0
  /// where the offset is fixed. The residual is to fall to `accuracy` times the first one, in the scaled norm.
  void begin(std::span<const double> gradient, std::vector<double> curved_column, std::span<const double> square,
             double curved, double accuracy);

  /// What the next product is wanted of: q; and s·q/S.
  const std::vector<double>& direction() const { return q_; }
  double shift() const { return shift_; }

  /// Takes the product and goes along q; returns how far. REQUIRES: `product` is that of `direction`.
  double advance(std::span<const double> product);
  /// Whether another product is wanted after an advance by `length`; then `direction` is the next one.
  bool next_direction(double length);

  const std::vector<double>& step() const { return step_; }
  /// By how much the best offset changes along the step, as the Hessian has it: −s·step/S.
  double offset_change() const { return -mean_score(step_); }
  /// Whether it is of so many columns, all numbers finite: what a saved state must be.
  bool is_of(std::size_t columns) const;

  /// Of `size` columns, or none before it has begun.
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive, std::size_t size) {
    archive.numbers_or_none(self.scale_, size);
    for (auto* v : {&self.step_, &self.residual_, &self.q_, &self.curved_column_}) {
      archive.numbers(*v, self.scale_.size());
    }
    for (auto* x : {&self.curved_, &self.rz_, &self.rz_stop_}) archive.at_least_zero(*x);
    archive.count(self.products_);
    archive.loaded(self, [](auto& direction) { direction.restore(); });
  }

 private:
  void set_shift();
  /// s·vector/S, or 0 if the offset is fixed.
  double mean_score(std::span<const double> vector) const;
  /// What follows from a loaded state. Throws an input Error if it isn't sound.
  void restore();
  /// P·residual, where there is a P.
  void precondition_residual();

  Precondition precondition_;
  std::vector<double> preconditioned_;
  std::vector<double> scale_, step_, residual_, q_, curved_column_;
  double curved_ = 0, shift_ = 0;
  double rz_ = 0, rz_before_ = 0, rz_stop_ = 0;
  std::int64_t products_ = 0;
};

}  // namespace linsep

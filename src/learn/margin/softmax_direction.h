// SoftmaxDirection: the step of Newton's method by conjugate gradients, one product with the Hessian at a time; or, with
// a preconditioner, that of L-BFGS (softmax.cc).
//
// Conjugate gradients see columns less their mean by D, class by class, which the class's offset makes up for:
// b′_c = b_c + mean_c·θ_c. Directions go from b′ to b, gradients and products the other way. Then the diagonal is a good
// scale, and frequent columns and offsets no longer stand in each other's way.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/margin/newton_direction.h"
#include "learn/margin/softmax.h"
#include "numeric/gram.h"
#include "numeric/row_query.h"

namespace linsep {

class SoftmaxDirection {
 public:
  /// `task` outlives this.
  explicit SoftmaxDirection(const SoftmaxTask& task) : task_(task) {}

  /// From now on L-BFGS by this preconditioner, whose mean all classes' columns are centred by. REQUIRES: it outlives
  /// this, or none.
  void set_preconditioner(GramPreconditioner* gram) { gram_ = gram; }

  /// Begins to solve Hessian·step = −gradient, of weights and offsets; `curved` has Σ D_ic·x_ij, their squares and
  /// Σ D_ic. The residual is to fall to `accuracy` times the first one, in the scaled norm.
  void begin(const RowAnswer::Columns& curved, std::vector<double> gradient, double accuracy);

  /// Whether the next gradient's sums are to tell each class's mean by D: in wider and wider intervals, as they change
  /// less and less and cost half a pass.
  bool wants_means() const { return steps_ == next_means_; }
  /// The step of L-BFGS from w, where the gradient is `gradient`: the direction afterwards. REQUIRES: a preconditioner.
  void begin_quasi(const RowAnswer::Columns& curved, const std::vector<double>& w, const std::vector<double>& gradient);

  /// What the next product is wanted of, or, once none is, the step.
  const std::vector<double>& direction() const { return q_; }
  /// At least |q_c·(x_i, 1)| of every row and class.
  double farthest() const;
  /// Takes the product, without q itself. True when another one is wanted.
  bool advance(std::vector<double> product);

  /// Throws an input Error unless it is in the midst of a step.
  void require_begun() const;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    const std::size_t weights = self.task_.weights(), size = weights + self.task_.classes();
    archive.numbers_or_none(self.mean_, weights);
    archive.part(self.direction_, size);
    for (auto* v : {&self.q_, &self.last_point_, &self.last_gradient_}) archive.numbers_or_none(*v, size);
    for (auto* number : {&self.steps_, &self.next_means_}) archive.count(*number);
    archive.within(self.differences_, 0, kMostDifferences);
    for (auto& difference : self.history_) {
      archive.numbers_or_none(difference.point, size);
      archive.numbers_or_none(difference.gradient, size);
      archive.finite(difference.inverse);
    }
    archive.loaded(self, [](auto& direction) { direction.require_history(); });
  }

 private:
  static constexpr std::int64_t kMostDifferences = 12;
  struct Difference {
    std::vector<double> point, gradient;
    double inverse = 0;  // of their product
  };

  bool has_offset(std::size_t c) const { return !task_.settings().origin && task_.active(c); }
  std::span<Difference> history() { return std::span(history_).first(static_cast<std::size_t>(differences_)); }
  void add_difference(std::vector<double> point, const std::vector<double>& gradient);
  void set_direction(const std::vector<double>& centred);
  void to_centred(std::vector<double>& gradient) const;
  void precondition(std::span<double> x);
  void require_history() const;

  const SoftmaxTask& task_;
  NewtonDirection direction_;
  std::vector<double> mean_, q_;
  GramPreconditioner* gram_ = nullptr;
  std::vector<double> curvature_;  // Σ_i D_ic by class
  std::int64_t steps_ = 0, next_means_ = 2;
  // Of L-BFGS: the last point and gradient, and the differences before, the oldest first.
  std::vector<double> last_point_, last_gradient_;
  std::int64_t differences_ = 0;
  std::array<Difference, kMostDifferences> history_;
};

}  // namespace linsep

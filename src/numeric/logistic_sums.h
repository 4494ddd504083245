// A logistic likelihood at many points at once: its value, gradient and information, added up over the rows of all
// threads and workers to the same bits.
//
// Rows come in panels of 256, dense. Within a panel sums are rounded, in the order of the rows; sums of panels depend
// on no order (core/binned_sums.h). So the bits depend on which rows share a panel, and on nothing else.
#pragma once

#include <cstddef>
#include <vector>

#include "core/binned_sums.h"
#include "linsep/comm.h"
#include "numeric/symmetric_matrix.h"

namespace linsep {

/// Some consecutive rows. Row i has the score fixed[i] + β·x[i], the label sign[i] (−1 or +1) and a weight.
struct LogisticPanel {
  static constexpr std::size_t kRows = 256;

  std::size_t rows = 0, columns = 0, stride = 0;  ///< a row of x is `stride` long; it holds 0 from `columns` on
  std::vector<double> x, sign, weight, fixed;

  void resize(std::size_t columns);
  double* row(std::size_t i) { return x.data() + i * stride; }
  const double* row(std::size_t i) const { return x.data() + i * stride; }
};

/// Where the likelihood is evaluated, and what of it. With p_i the probability of a row's positive class:
struct LogisticPoint {
  /// kScores: Σ w_i·(y_i − p_i)²·x_i·x_iᵀ, the middle of a sandwich. kAugmented, with `leverage`: Σ
  /// w_i·p_i·(1 − p_i)·(1 + h_i/w_i)·x_i·x_iᵀ, the information of rows that Firth's penalty adds h_i/w_i to each.
  enum class Matrix { kNone, kInformation, kScores, kAugmented };

  std::vector<double> beta;
  Matrix matrix = Matrix::kNone;
  /// The factor of an information matrix: the gradient is then Σ h_i·(½ − p_i)·x_i instead, with the leverages
  /// h_i = w_i·p_i·(1 − p_i)·x_iᵀ·(information)⁻¹·x_i: the gradient of ½·ln det of the information.
  const SymmetricMatrix* leverage = nullptr;
};

/// The sums of all points. Not evaluated: adding up is `add`, panel after panel, in any order.
class LogisticSums {
 public:
  /// REQUIRES: every β has `columns` numbers, and the points outlive the sums.
  void begin(const std::vector<const LogisticPoint*>& points, std::size_t columns);
  void add(const LogisticPanel& panel);
  void add(const LogisticSums& other) { sums_.add(other.sums_); }
  /// Over all workers.
  void synchronise(Comm& comm);

  /// Of point k: Σ w_i·ln P(label), ∂/∂β, and the matrix.
  double value(std::size_t k) const { return sums_.value(first_[k]); }
  std::vector<double> gradient(std::size_t k) const;
  SymmetricMatrix matrix(std::size_t k) const;

 private:
  void scores_of(const LogisticPanel& panel);
  void add_values(const LogisticPanel& panel);
  void add_gradients(const LogisticPanel& panel);
  void add_matrix(const LogisticPanel& panel, std::size_t k);
  void weigh_leverages(const LogisticPanel& panel, std::size_t k);

  std::vector<const LogisticPoint*> points_;
  std::size_t columns_ = 0, width_ = 0;  ///< width: points, up to a whole tile
  std::vector<std::size_t> first_;       ///< of a point's sums: value, gradient, upper triangle
  std::vector<double> beta_;             ///< columns × width
  BinnedSums sums_;
  // Of the panel at hand. By row and point: scores, then residuals; ln P's second derivative, or the residual squared.
  std::vector<double> transposed_, score_, second_, gradient_, scaled_, leverage_;
  std::vector<double> linear_, product_;  ///< by point: ln P = linear − ln(product)
  SymmetricMatrix block_;
};

}  // namespace linsep

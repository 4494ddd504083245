// What a pass adds up over rows, to the same bits however rows are spread over threads and workers.
//
// Weights lie feature by feature, all classes of a feature together, so that a value of a row meets adjacent ones; the
// classes' offsets follow. Sums by column lie likewise, in fixed point.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "core/exact_sum.h"
#include "learn/margin/softmax/row.h"
#include "learn/margin/softmax/task.h"
#include "linsep/comm.h"

namespace linsep {

/// The whole number nearest to x, of equals the even one, in a way that compilers do for several numbers at once:
/// beside 1.5·2⁵² a double has no digits after the point. Where |x| > 2⁵¹, some number.
inline std::int64_t nearest_whole(double x) {
  constexpr double kBeside = 0x1.8p52;
  return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(x + kBeside) - std::bit_cast<std::uint64_t>(kBeside));
}

/// out[c] = Σ_j x_j·theta[j·classes + c], value by value.
template <class Row>
void class_scores(const Row& row, const double* theta, std::size_t classes, double* __restrict out) {
  for (std::size_t c = 0; c < classes; ++c) out[c] = 0;
  for_each_entry(row, [&](std::uint32_t j, double x) {
    const double* weight = theta + j * classes;
    for (std::size_t c = 0; c < classes; ++c) out[c] += x * weight[c];
  });
}

/// Of a gradient: Σ c_i(1[y_i = c] − p_ic)x_ij; with D_ic = c_i·p_ic(1 − p_ic), Σ D_ic·x_ij and Σ D_ic·x_ij²; the same
/// of a column of ones; and the loss. Of a product with a direction u: Σ c_i·p_ic(u_ic − Σ_a p_ia·u_ia)x_ij.
struct SoftmaxSums {
  std::vector<std::int64_t> slope, curved, square;  ///< weights, then offsets: not of a gradient's `slope`, no `square`
  std::vector<ExactSum> balance;                    ///< of a gradient: the offsets' slopes
  ExactSum loss;
  std::vector<double> scratch;  ///< of a row

  /// 2⁻¹⁰ of the step of whole units (FixedColumns::step), so that sums are below 2⁵¹: a direction needs no more.
  static double product_step(double factor) { return 0x1p-10 * FixedColumns::step(factor); }

  void clear(const SoftmaxTask& task, bool gradient);
  void add(const SoftmaxSums& other);
  void synchronise(Comm& comm);

  /// `coefficient` holds c_i(1[y_i = c] − p_ic), then D_ic, each times the step of its units.
  template <class Row>
  void add_gradient(const SoftmaxTask& task, const Row& row, const double* coefficient) {
    const std::size_t k = task.classes();
    const double *first = coefficient, *second = coefficient + k;
    for_each_entry(row, [&](std::uint32_t j, double x) {
      const FixedColumns::Scale& scale = task.fixed().scale(j);
      const double units = x * scale.column, squares = units * (x * scale.square);
      std::int64_t *to = slope.data() + j * k, *means = curved.data() + j * k, *squared = square.data() + j * k;
      for (std::size_t c = 0; c < k; ++c) add_units(to[c], whole_units(first[c] * units));
      for (std::size_t c = 0; c < k; ++c) add_units(means[c], whole_units(second[c] * units));
      for (std::size_t c = 0; c < k; ++c) add_units(squared[c], whole_units(second[c] * squares));
    });
    const double one = task.ones().scale(0).column;
    std::int64_t* all = curved.data() + task.weights();
    for (std::size_t c = 0; c < k; ++c) add_units(all[c], whole_units(second[c] * one));
  }

  /// `coefficient` likewise holds c_i·p_ic(u_ic − Σ_a p_ia·u_ia), its step being `product_step`.
  template <class Row>
  void add_product(const SoftmaxTask& task, const Row& row, const double* coefficient) {
    const std::size_t k = task.classes();
    for_each_entry(row, [&](std::uint32_t j, double x) {
      const double units = x * task.fixed().scale(j).column;
      std::int64_t* to = slope.data() + j * k;
      for (std::size_t c = 0; c < k; ++c) add_units(to[c], nearest_whole(coefficient[c] * units));
    });
    const double one = task.ones().scale(0).column;
    std::int64_t* to = slope.data() + task.weights();
    for (std::size_t c = 0; c < k; ++c) add_units(to[c], nearest_whole(coefficient[c] * one));
  }

  /// A sum as a number, `at` being feature·classes + class, and features·classes + class for offsets.
  static double value(const SoftmaxTask& task, const std::vector<std::int64_t>& sums, std::size_t at, double step) {
    if (at >= task.weights()) return task.ones().value(0, sums[at], step);
    return task.fixed().value(at / task.classes(), sums[at], step);
  }
  /// REQUIRES: `at` is of a weight.
  double square_value(const SoftmaxTask& task, std::size_t at, double step) const {
    return task.fixed().square_value(at / task.classes(), square[at], step);
  }
};

}  // namespace linsep

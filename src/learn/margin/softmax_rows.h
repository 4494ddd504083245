// The softmax loss of a row and of all rows, for the solvers of several classes together (softmax.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/elementary.h"
#include "core/exact_sum.h"
#include "kernel/exponentials.h"
#include "learn/margin/softmax.h"
#include "linsep/comm.h"
#include "numeric/exact_all_reduce.h"
#include "numeric/row_query.h"

namespace linsep {

/// Writes P(c) = e^t_c / Σ e^t with t = z + b into p[0 … classes) and returns log Σ e^t − t_own. A class whose b is −∞
/// has probability 0. REQUIRES: some b is finite, and that of `own`. Given t, the probabilities' errors sum to
/// 2⁻⁵³·(4·classes + 20) at most, and the loss's is at most 2⁻⁵³·(4·classes + 8 + 4·loss).
inline double softmax_row(const double* z, const double* b, std::size_t classes, std::size_t own, double* p) {
  std::size_t top = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    p[c] = z[c] + b[c];
    if (p[c] > p[top]) top = c;
  }
  const double greatest = p[top], below = greatest - p[own];
  double rest = 0;
  for (std::size_t c = 0; c < classes; ++c) p[c] -= greatest;
  exponentials(p, classes);
  for (std::size_t c = 0; c < top; ++c) rest += p[c];
  for (std::size_t c = top + 1; c < classes; ++c) rest += p[c];
  p[top] = 1;
  const double share = 1 / (1 + rest);
  for (std::size_t c = 0; c < classes; ++c) p[c] *= share;
  return elementary::log1p(rest) + below;
}

/// About how long the softmax of a row takes.
inline double row_nanoseconds(std::size_t classes) { return 20 + 5 * static_cast<double>(classes); }

/// Σ c_i·loss at the scores z + t·dz and the offsets b + t·db.
inline double loss_along(const SoftmaxTask& task, std::span<const double> z, std::span<const double> dz,
                         std::span<const double> b, std::span<const double> db, double t, Comm& comm) {
  const std::size_t k = task.classes();
  std::vector<double> offset(k);
  for (std::size_t c = 0; c < k; ++c) offset[c] = b[c] + t * db[c];
  const auto add = [&](std::size_t i, std::array<ExactSum, 1>& sum) {
    thread_local std::vector<double> score, p;
    if (task.cost()[i] == 0) return;
    score.resize(k);
    p.resize(k);
    for (std::size_t c = 0; c < k; ++c) score[c] = z[i * k + c] + t * dz[i * k + c];
    sum[0].add(task.cost()[i] * softmax_row(score.data(), offset.data(), k, task.own()[i], p.data()));
  };
  return exact_all_reduce_sums<1>(comm, task.rows(), task.threads(), add, row_nanoseconds(k))[0];
}

/// The slope and the curvature of Σ c_i·loss in t at the scores z + t·dz and the offsets b + t·db.
struct SoftmaxSlope {
  double value = 0, slope = 0, curvature = 0;
};
inline SoftmaxSlope slope_along(const SoftmaxTask& task, std::span<const double> z, std::span<const double> dz,
                                std::span<const double> b, std::span<const double> db, double t, Comm& comm) {
  const std::size_t k = task.classes();
  std::vector<double> offset(k);
  for (std::size_t c = 0; c < k; ++c) offset[c] = b[c] + t * db[c];
  const auto add = [&](std::size_t i, std::array<ExactSum, 3>& sum) {
    thread_local std::vector<double> score, p;
    const double cost = task.cost()[i];
    if (cost == 0) return;
    score.resize(k);
    p.resize(k);
    const double *at = z.data() + i * k, *along = dz.data() + i * k;
    for (std::size_t c = 0; c < k; ++c) score[c] = at[c] + t * along[c];
    const std::size_t own = task.own()[i];
    sum[0].add(cost * softmax_row(score.data(), offset.data(), k, own, p.data()));
    double mean = 0, square = 0;
    for (std::size_t c = 0; c < k; ++c) {
      const double u = along[c] + db[c];
      if (p[c] == 0) continue;
      mean += p[c] * u;
      square += p[c] * u * u;
    }
    sum[1].add(cost * (mean - (along[own] + db[own])));
    sum[2].add(cost * std::max(0.0, square - mean * mean));
  };
  const auto sums = exact_all_reduce_sums<3>(comm, task.rows(), task.threads(), add, row_nanoseconds(k));
  return {sums[0], sums[1], sums[2]};
}

/// F at a point Θ, b, with fresh scores or such as `drift` bounds.
struct SoftmaxValue {
  double primal = 0;
  double theta_norm = 0, greatest_offset = 0;  ///< ‖Θ‖, max |b_c| of the classes that take part
  double drift = 0;  ///< what scores that were updated along steps may be off by, in units of 2⁻⁵³
};

/// Bounds the error of each score of a row, in units of 2⁻⁵³.
inline double score_error(const SoftmaxTask& task, const SoftmaxValue& at) {
  return 1.01 * (task.extent().most_values + 3) * at.theta_norm * task.extent().longest + 2 * at.greatest_offset +
         at.drift;
}

/// Bounds |computed F − F|. A score is added up value by value: its error is at most (values + 3)·2⁻⁵³·‖θ_c‖·‖x‖ and
/// what its offset adds; the loss changes by at most twice the greatest error of a row's scores.
inline double primal_rounding(const SoftmaxTask& task, const SoftmaxValue& at) {
  const double row = 2 * score_error(task, at) + 4 * static_cast<double>(task.classes()) + 8;
  return 0x1p-53 * (1.01 * task.costs() * row + 12 * at.primal + 2 * at.theta_norm * at.theta_norm);
}

}  // namespace linsep

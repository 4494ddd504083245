// The offsets that suit given scores best, and the loss along a line: sums over rows whose scores are known, without a
// look at the data.
#pragma once

#include <span>
#include <vector>

#include "core/stop_point.h"
#include "learn/margin/softmax/task.h"
#include "linsep/comm.h"

namespace linsep {

/// argmin over b of Σ c_i·(log Σ_c e^(z_ic + b_c) − z_iy − b_y) over all workers' rows, from `near`: Newton's method on
/// the classes that take part, down to rounding. Their mean is 0; others keep −∞. Σ_i c_i·(1[y_i = c] − P_i(c)) is then
/// 0 up to rounding for every class. Cost: for each step the rows times half the square of the classes, and an
/// all-reduce.
/// `z` holds the scores of a row one after another. The same bits for any number of threads and workers. `stop` is
/// looked at between steps.
std::vector<double> best_offsets(const SoftmaxTask& task, std::span<const double> z, std::vector<double> near,
                                 Comm& comm, const StopPoint& stop);

/// Σ c_i·loss at the scores z + t·dz and the offsets b + t·db.
double loss_along(const SoftmaxTask& task, std::span<const double> z, std::span<const double> dz,
                  std::span<const double> b, std::span<const double> db, double t, Comm& comm);

}  // namespace linsep

// One row of the softmax loss: its probabilities and its loss.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

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
  for (std::size_t c = 0; c < classes; ++c) {
    if (c == top) continue;
    p[c] = std::exp(p[c] - greatest);
    rest += p[c];
  }
  p[top] = 1;
  const double share = 1 / (1 + rest);
  for (std::size_t c = 0; c < classes; ++c) p[c] *= share;
  return std::log1p(rest) + below;
}

}  // namespace linsep

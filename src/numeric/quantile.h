// Weighted quantiles over the rows of all workers, as the same bits however rows are spread over them.
#pragma once

#include <span>

#include "linsep/comm.h"

namespace linsep {

/// Rows' masses m_i at positions v_i on a line.
struct Masses {
  std::span<const double> place;
  std::span<const double> mass;  ///< ±m_i: the sign doesn't count, and rows without a mass are passed over
  double bound = 1;              ///< Σ m_i over all workers is at most this; the same on every worker, above 0
};

/// The least position v with Σ(m_i : v_i ≤ v) ≥ level, or the greatest where all masses don't come to that (0 where
/// there are none). Exchanges about a thousand numbers two to four times. Masses count to within 2⁻⁶⁰ of `bound` each.
double agreed_quantile(const Masses& rows, double level, Comm& comm);

}  // namespace linsep

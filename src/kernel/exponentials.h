// Many exponentials or logarithms at once. Each has the bits of elementary::exp or elementary::log1p, with every
// version.
#pragma once

#include <cstddef>

namespace linsep {

/// x[i] ← e^(x[i]).
void exponentials(double* x, std::size_t count);
/// x[i] ← ln(1 + x[i]). Fastest between 0 and 1.
void logarithms(double* x, std::size_t count);

}  // namespace linsep

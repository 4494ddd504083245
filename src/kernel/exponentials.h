// Many exponentials at once. Each has the bits of elementary::exp, with every version.
#pragma once

#include <cstddef>

namespace linsep {

/// x[i] ← e^(x[i]).
void exponentials(double* x, std::size_t count);

}  // namespace linsep

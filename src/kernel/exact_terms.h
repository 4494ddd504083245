// Many terms of an exact sum at once. The sum is the same as if they were added one by one, with every version.
#pragma once

#include <cstddef>

#include "core/exact_sum.h"

namespace linsep {

/// sum += x[0] + … + x[count − 1].
void add_terms(ExactSum& sum, const double* x, std::size_t count);

}  // namespace linsep

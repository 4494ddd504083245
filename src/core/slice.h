// slice: some consecutive rows of a batch as a batch of their own, without a copy.
#pragma once

#include <cstdint>

#include "linsep/batch.h"

namespace linsep {

/// Rows first … first + count − 1 of a batch.
Batch slice(const Batch& batch, std::int64_t first, std::int64_t count);

}  // namespace linsep

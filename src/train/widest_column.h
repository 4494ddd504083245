// The widest column of rows and where it stands, for messages.
#pragma once

#include <cstdint>

#include "linsep/source.h"

namespace linsep {

struct WidestColumn {
  std::uint64_t column = 0;  ///< from 1; 0: no row names its columns
  std::int64_t row = -1;     ///< the first that has it, from 0
  Place place = {};          ///< of that row
};

/// Of one batch, without a place. Rows of dense batches don't name their columns.
WidestColumn widest_of(const Batch& batch);

/// Of all rows: goes through them once, and ends the pass. Nothing is found where they can't be gone through again.
WidestColumn widest_of(Source& source);

}  // namespace linsep

// ScaledSource: the rows of another source with columns multiplied by powers of two, so that no sum of theirs leaves
// the range of doubles.
#pragma once

#include <memory>
#include <vector>

#include "linsep/source.h"

namespace linsep {

/// Column j times 2^−exponent[j], as doubles; columns beyond the list stay as they are. Labels, weights and row numbers
/// pass through, and `written` returns the rows as they were written. REQUIRES: `inner` outlives the result.
std::unique_ptr<Source> scale_columns(Source& inner, std::vector<int> exponent);

}  // namespace linsep

// MapSource: the rows of another source through a feature map.
#pragma once

#include <memory>

#include "linsep/model.h"
#include "linsep/source.h"

namespace linsep {

/// Sparse double batches of φ(x); labels, weights and row numbers pass through. Float values are widened first, so
/// products are taken in double. `written` returns raw rows. The schema keeps the raw names.
/// The map is made for the features that `inner` has now; a later row with a column beyond them is an input Error.
/// Throws a usage Error where the map has too many features. REQUIRES: `inner` outlives the result.
std::unique_ptr<Source> map_rows(Source& inner, const FeatureMap& map);

}  // namespace linsep

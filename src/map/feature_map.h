// Applies feature maps: the number of a monomial, and φ of a row.
//
// With n columns left to choose from, there are C(n + k − 1, k) monomials of degree k, so rank and unrank take a few
// multiplications.
#pragma once

#include <cstdint>
#include <vector>

#include "linsep/batch.h"
#include "linsep/map.h"

namespace linsep {

/// φ of one sparse row: the nonzero mapped entries, columns ascending. Appends to `column` and `value`. A product is
/// taken from its first column to its last. Entries in columns from `features` on are left out. Throws an input Error
/// if a product isn't finite. REQUIRES: mapped_features(map, features) doesn't throw.
void apply_map(const FeatureMap& map, std::uint32_t features, const SparseRow<double>& row,
               std::vector<std::uint32_t>& column, std::vector<double>& value);

}  // namespace linsep

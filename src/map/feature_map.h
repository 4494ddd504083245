// Feature maps: the numbering of mapped features, their values for a row, and their names as options.
//
// A mapped feature is a monomial of raw columns. Degree-1 monomials keep the numbers 0 … features − 1; then come all of
// degree 2 in lexicographic order of their ascending columns, then all of degree 3, and so on. With n columns left to
// choose from, there are C(n + k − 1, k) monomials of degree k, which makes the way between number and columns a few
// multiplications.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "linsep/batch.h"
#include "linsep/model.h"

namespace linsep {

/// The greatest degree of a polynomial map.
inline constexpr int kMaxMapDegree = 32;

/// How many features φ has over `features` raw ones. Throws a usage Error past 2³² − 1.
std::uint32_t mapped_features(const FeatureMap& map, std::uint32_t features);

/// A mapped feature as the raw columns it multiplies, ascending with repetition: {0} is x1, {0, 1} is x1·x2.
/// REQUIRES: j < mapped_features(map, features).
std::vector<std::uint32_t> monomial(const FeatureMap& map, std::uint32_t features, std::uint32_t j);

/// φ of one sparse row: the nonzero mapped entries, columns ascending. Appends to `column` and `value`.
/// A product is taken from its first column to its last. Entries in columns from `features` on are left out.
/// Throws an input Error where a product isn't finite. REQUIRES: mapped_features(map, features) doesn't throw.
void apply_map(const FeatureMap& map, std::uint32_t features, const SparseRow<double>& row,
               std::vector<std::uint32_t>& column, std::vector<double>& value);

/// "none", "products", "polynomial:2" and back ("polynomial" alone is of degree 2). Throws a usage Error.
std::string map_text(const FeatureMap& map);
FeatureMap parse_map(const std::string& text);

}  // namespace linsep

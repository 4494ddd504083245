// FeatureMap turns raw features into products of them. Here is how many there are, what each is, and the map's name as
// text.
//
// A mapped feature is a monomial of raw columns. Degree-1 monomials keep the numbers 0 … features − 1. Then come all of
// degree 2 in lexicographic order of their ascending columns, then all of degree 3, and so on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace linsep {

/// A feature map φ from raw features to mapped features.
struct FeatureMap {
  enum class Kind { kNone, kProducts, kPolynomial };
  Kind kind = Kind::kNone;
  int degree = 1;  ///< kPolynomial: every monomial of total degree 1 … degree. kProducts: x_j and x_j·x_k with j < k

  bool operator==(const FeatureMap&) const = default;
};

/// The largest degree of a polynomial map.
inline constexpr int kMaxMapDegree = 32;

/// How many features φ has over `features` raw ones. Throws a usage Error past 2³² − 1.
std::uint32_t mapped_features(const FeatureMap& map, std::uint32_t features);

/// A mapped feature as the raw columns it multiplies, ascending with repetition. {0} is x1, and {0, 1} is x1·x2.
/// REQUIRES: j < mapped_features(map, features).
std::vector<std::uint32_t> monomial(const FeatureMap& map, std::uint32_t features, std::uint32_t j);

/// "none", "products", "polynomial:2" and back ("polynomial" alone is of degree 2). Throws a usage Error.
std::string map_text(const FeatureMap& map);
FeatureMap parse_map(const std::string& text);

}  // namespace linsep

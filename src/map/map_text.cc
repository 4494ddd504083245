// Feature maps as they are written in options and model files.
#include <fmt/format.h>

#include <array>
#include <charconv>

#include "linsep/error.h"
#include "linsep/map.h"
#include "linsep/options.h"

namespace linsep {

std::string map_text(const FeatureMap& map) {
  switch (map.kind) {
    case FeatureMap::Kind::kNone:
      return "none";
    case FeatureMap::Kind::kProducts:
      return "products";
    case FeatureMap::Kind::kPolynomial:
      return fmt::format("polynomial:{}", map.degree);
  }
  return "none";
}

FeatureMap parse_map(const std::string& text) {
  static constexpr std::array<std::string_view, 3> kNames = {"none", "products", "polynomial"};
  FeatureMap map;
  if (text == "none") return map;
  if (text == "products") {
    map.kind = FeatureMap::Kind::kProducts;
    return map;
  }
  const std::string_view name = std::string_view(text).substr(0, text.find(':'));
  if (name == "polynomial") {
    map.kind = FeatureMap::Kind::kPolynomial;
    map.degree = 2;
    if (name.size() == text.size()) return map;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + name.size() + 1, end, map.degree);
    if (error == std::errc() && stop == end && map.degree >= 1 && map.degree <= kMaxMapDegree) return map;
    throw usage_error(
        fmt::format("'{}': the degree of a polynomial map is a whole number from 1 to {}", text, kMaxMapDegree));
  }
  const std::string near = nearest_word(name, kNames);
  throw usage_error(fmt::format("unknown feature map '{}': choose none, products or polynomial:DEGREE{}", text,
                                near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
}

}  // namespace linsep

#include <fmt/format.h>

#include "linsep/model.h"
#include "map/feature_map.h"

namespace linsep {
namespace {

std::string raw_name(const Model& model, std::uint32_t j) {
  if (!model.table.empty()) return encoded_name(model.table, j);
  const auto& names = model.schema.feature_names;
  return j < names.size() ? names[j] : fmt::format("x{}", std::uint64_t{j} + 1);
}

}  // namespace

std::string feature_name(const Model& model, std::uint32_t j) {
  if (model.map.kind == FeatureMap::Kind::kNone) return raw_name(model, j);
  std::string name;
  const std::vector<std::uint32_t> factors = monomial(model.map, model.features, j);
  for (std::size_t begin = 0, end = 0; begin < factors.size(); begin = end) {
    while (end < factors.size() && factors[end] == factors[begin]) ++end;
    if (begin > 0) name += "·";
    name += raw_name(model, factors[begin]);
    if (end - begin > 1) name += fmt::format("^{}", end - begin);
  }
  return name;
}

}  // namespace linsep

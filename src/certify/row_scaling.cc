#include "certify/row_scaling.h"

#include <limits>

namespace linsep {
namespace {

constexpr double kUnit = 0x1p-53;

}  // namespace

std::int16_t RowScaling::size_exponent(double squared) {
  if (!(squared > 1e-280 && squared < 1e280)) return kNoExponent;
  return static_cast<std::int16_t>(std::ilogb(std::sqrt(squared) * (1 + 1e-10)) + 1);
}

ScanWeights RowScaling::scan_weights(const std::vector<std::uint32_t>& column, const std::vector<double>& scaled,
                                     double relative_error) const {
  ScanWeights scan;
  scan.weight.assign(space.mapped, 0.0);
  double squared = 0;
  double sum = 0;
  bool faithful = true;
  for (std::size_t k = 0; k < column.size(); ++k) {
    squared += scaled[k] * scaled[k];
    const bool as_is = mapped() && column[k] != space.mapped;
    const double weight = as_is ? scaled[k] : std::ldexp(scaled[k], -exponent[column[k]]);
    faithful = faithful && std::isfinite(weight) && (scaled[k] == 0 || std::fabs(weight) >= 0x1p-1022);
    sum += std::fabs(weight);
    (column[k] == space.mapped ? scan.offset : scan.weight[column[k]]) = weight;
  }
  scan.norm = std::sqrt(squared) * (1 + 1e-12);

  // How far a value may lie from what was written. For a binary source this is nothing, otherwise half a unit in the
  // last place. A product has the errors of its factors and of the multiplications.
  const double reading = binary ? 0 : (is_float ? 0x1p-24 : kUnit);
  const double least_value = binary ? 0 : (is_float ? 0x1p-149 : 0x1p-1074);
  scan.relative = relative_error * 1.01;
  scan.absolute = static_cast<double>(column.size() + 2) * 0x1p-1074;
  if (mapped()) {
    const double degree = space.map.kind == FeatureMap::Kind::kProducts ? 2 : std::max(1, space.map.degree);
    double greatest_scale = 1;
    for (const double scale : column_scale) greatest_scale = std::max(greatest_scale, scale);
    scan.relative += 1.01 * degree * (reading + 2 * kUnit);
    scan.absolute += 1.01 * sum * degree * (least_value * greatest_scale + 0x1p-1073);
  } else if (!binary) {
    scan.relative += 1.01 * reading;
    scan.absolute += 1.01 * sum * least_value;
  }
  if (!faithful || !std::isfinite(sum) || !std::isfinite(scan.absolute)) {
    scan.relative = std::numeric_limits<double>::infinity();
  }
  return scan;
}

}  // namespace linsep

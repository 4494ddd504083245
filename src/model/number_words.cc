#include "linsep/tools/number_words.h"

#include <fmt/format.h>

#include <cmath>

namespace linsep {

std::string figure_text(double number) {
  const std::string text = fmt::format("{:.6g}", std::fabs(number));
  return number < 0 ? fmt::format("−{}", text) : text;
}

std::string weight_text(double weight, double error) {
  if (!(error > 0) || weight == 0) return figure_text(weight);
  const double size = std::fabs(weight);
  const std::string sign = weight < 0 ? "−" : "";
  const int place = static_cast<int>(std::ceil(std::log10(error)));  // the last digit's power of ten
  if (std::pow(10.0, place) > size) return fmt::format("~{}{:.1g}", sign, size);
  const int figures = static_cast<int>(std::floor(std::log10(size))) - place + 1;
  if (figures >= 6) return figure_text(weight);
  if (place >= 0)
    return fmt::format("{}{:.0f}", sign, std::round(size / std::pow(10.0, place)) * std::pow(10.0, place));
  return fmt::format("{}{:.{}f}", sign, size, -place);
}

std::pair<std::vector<double>, double> raw_weights(const Model& model) {
  std::pair<std::vector<double>, double> raw{model.theta, model.offset};
  if (model.table.empty() || model.map.kind != FeatureMap::Kind::kNone) return raw;
  const std::vector<std::uint32_t> starts = encoder_starts(model.table);
  for (std::size_t i = 0; i < model.table.encoders.size(); ++i) {
    const Encoder& encoder = model.table.encoders[i];
    if (encoder.kind != Encoder::Kind::kNumber || starts[i] >= raw.first.size()) continue;
    raw.first[starts[i]] *= encoder.factor;
    raw.second -= raw.first[starts[i]] * encoder.shift;
  }
  return raw;
}

}  // namespace linsep

#include "linsep/tools/number_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace linsep {
namespace {

constexpr double kNoise = 1e-14;

/// Whether the encoder's features are about 1 in size, so that their weights can be compared.
bool is_of_unit_size(const Encoder& encoder) {
  if (const auto* number = encoder.get<NumberEncoder>()) return number->scale != Scale::kNone;
  if (const auto* cross = encoder.get<CrossEncoder>()) return cross->of == CrossEncoder::Of::kCategories;
  return encoder.is<CategoryEncoder>() || encoder.is<TextEncoder>();
}

}  // namespace

std::string figure_text(double number) {
  const std::string text = fmt::format("{:.6g}", std::fabs(number));
  return number < 0 ? fmt::format("−{}", text) : text;
}

std::string weight_text(double weight, double error) {
  const double size = std::fabs(weight);
  if (!(error > 1e-6 * size) || size >= 1e4) return figure_text(weight);
  return fmt::format("{}{:.4g}", weight < 0 ? "−" : "", size);
}

std::pair<std::vector<double>, double> raw_weights(const Model& model) {
  std::pair<std::vector<double>, double> raw{model.theta, model.offset};
  if (model.table.empty() || model.map.kind != FeatureMap::Kind::kNone) return raw;
  const std::vector<std::uint32_t> starts = encoder_starts(model.table);
  if (starts.back() != raw.first.size()) return raw;
  double heaviest = 0;
  for (const double weight : model.theta) heaviest = std::max(heaviest, std::fabs(weight));
  for (std::size_t i = 0; i < model.table.encoders.size(); ++i) {
    const Encoder& encoder = model.table.encoders[i];
    for (std::uint32_t j = starts[i]; j < starts[i + 1] && is_of_unit_size(encoder); ++j) {
      if (std::fabs(raw.first[j]) < kNoise * heaviest) raw.first[j] = 0;
    }
    const auto* number = encoder.get<NumberEncoder>();
    if (number == nullptr) continue;
    raw.first[starts[i]] *= number->factor;
    raw.second -= raw.first[starts[i]] * number->shift;
  }
  return raw;
}

}  // namespace linsep

#include "tables/feature_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "linsep/tools/shown_text.h"

namespace linsep::app {
namespace {

constexpr std::size_t kMostCharacters = 60;

}  // namespace

std::optional<FeaturePlace> place_of(const Model& model, std::uint32_t feature) {
  if (model.table.empty() || model.map.kind != FeatureMap::Kind::kNone) return std::nullopt;
  std::uint64_t start = 0;
  for (std::size_t e = 0; e < model.table.encoders.size(); ++e) {
    const std::uint64_t end = start + encoder_features(model.table, e);
    if (feature < end) return FeaturePlace{e, static_cast<std::uint32_t>(feature - start)};
    start = end;
  }
  return std::nullopt;
}

std::string short_text(const std::string& text) {
  std::string shown = shown_text(text);
  std::size_t characters = 0;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if ((static_cast<unsigned char>(shown[i]) & 0xc0) == 0x80) continue;  // within a character
    if (characters++ == kMostCharacters) return shown.substr(0, i) + "…";
  }
  return shown;
}

std::string other_term(const Model& model, std::uint32_t feature) {
  const auto place = place_of(model, feature);
  if (!place) return "";
  const Encoder& e = model.table.encoders[place->encoder];
  const auto found = std::ranges::lower_bound(e.names, place->place, {}, &BucketName::bucket);
  return found != e.names.end() && found->bucket == place->place ? term_words(e, found->second) : "";
}

std::string term_words(const Encoder& encoder, const std::string& term) {
  std::string text = term;
  if (encoder.kind == Encoder::Kind::kCross) std::ranges::replace(text, '\x1f', '*');
  return text;
}

std::string shown_feature(const Model& model, std::uint32_t feature) {
  const std::string other = other_term(model, feature);
  const std::string name = short_text(feature_name(model, feature));
  return other.empty() ? name : fmt::format("{} (also {} …)", name, short_text(other));
}

}  // namespace linsep::app

// Features of a model as people read them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "linsep/model.h"

namespace linsep::app {

/// The encoder that an encoded feature belongs to, and its place there.
struct FeaturePlace {
  std::size_t encoder = 0;
  std::uint32_t place = 0;
};
/// Nothing without a table, and for products of a feature map.
std::optional<FeaturePlace> place_of(const Model& model, std::uint32_t feature);

/// The text, escaped (`shown_text`) and cut to 60 characters.
std::string short_text(const std::string& text);

/// The feature's name, escaped and cut to 60 characters. Behind that of a bucket with several terms stands another:
/// "body:free (also txtauction …)".
std::string shown_feature(const Model& model, std::uint32_t feature);

/// Another term of a bucket than the one that it is named by; "" where none is known.
std::string other_term(const Model& model, std::uint32_t feature);

/// A term as `Encoder::terms` has it: of a cross, "x*y" for the values x and y.
std::string term_words(const Encoder& encoder, const std::string& term);

}  // namespace linsep::app

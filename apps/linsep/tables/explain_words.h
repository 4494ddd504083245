// What `linsep explain` tells of a row.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "linsep/tools/explain.h"

namespace linsep::app {

/// A table of lines that sum to the score: columns, the largest first, with their parts; `top` parts in all.
std::string explanation_words(const Model& model, const Explanation& explanation, std::size_t top);
nlohmann::ordered_json explanation_json(const Model& model, const Explanation& explanation, std::size_t top);

}  // namespace linsep::app

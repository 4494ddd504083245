// What `linsep explain` reports about a row.
#pragma once

#include <cstddef>
#include <string>

#include "linsep/tools/explain.h"
#include "report/json.h"

namespace linsep {
/// A table of lines that sum to the score. It has columns, the largest first, with their parts, and `top` parts in all.
std::string explanation_words(const Model& model, const Explanation& explanation, std::size_t top);
Json explanation_json(const Model& model, const Explanation& explanation, std::size_t top);

}  // namespace linsep

// The coefficients of a model with probabilities, in the order of its columns, with odds ratios.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "linsep/model.h"

namespace linsep::app {

/// A model of one score whose probability is a sigmoid of it: the odds are e^(slope·z + offset), so one unit more of a
/// column multiplies them by e^(slope·coefficient). "" for other models, and for those of many features without a
/// table. `top`: of a column with many values, how many of the heaviest are listed.
std::string odds_words(const Model& model, std::size_t top);
/// All of them: [{"column", "feature", "name", "coefficient", "odds_ratio"}]; null for other models, and where there
/// are more than 1,000, unless `full`.
nlohmann::ordered_json odds_json(const Model& model, bool full);

}  // namespace linsep::app

// How a model's scores become probabilities, told.
#pragma once

#include <string>

#include "linsep/model.h"
#include "report/json.h"

namespace linsep::app {

/// {"kind", …}; a list of such, with "of", where each class or label column has one; null without probabilities.
Json probabilities_json(const Model& model);
/// A line such as "P(yes) = 1/(1 + e^−(1.2·z − 0.3))" for each score, or one for all; "" without probabilities.
std::string probabilities_words(const Model& model);

}  // namespace linsep::app

// What `linsep train` reports about a λ path, a cross-validation and probabilities.
#pragma once

#include <string>

#include "linsep/model.h"
#include "linsep/select.h"
#include "report/json.h"

namespace linsep {
/// Adds `path`, `chosen`, `folds` and `calibration` to the object.
void add_selection(Json& object, const Selection& selection);
/// A line for each λ, the chosen one marked, and a sentence on why it was chosen.
std::string selection_words(const Selection& selection);

/// {"kind", …}, or null without a calibration.
Json calibration_json(const Calibration& calibration);
/// "1/(1 + e^−(1.2·z − 0.3))", "1/(1 + e^−z)" for the probabilities of a logistic model, or how many knots there are.
std::string calibration_words(const Calibration& calibration);

/// {"kind", …}. If each class or label column has one, a list of such, with "of". null without probabilities.
Json probabilities_json(const Model& model);
/// A line such as "P(yes) = 1/(1 + e^−(1.2·z − 0.3))" for each score, or one for all. "" without probabilities.
std::string probabilities_words(const Model& model);

}  // namespace linsep

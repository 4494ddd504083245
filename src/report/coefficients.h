// What `linsep certify` reports about a logistic regression's coefficients.
#pragma once

#include <string>

#include "linsep/certify.h"
#include "linsep/model.h"
#include "report/json.h"

namespace linsep {
/// Sentences, each a line, or none if nothing is known of estimates. `names` has schema, map and features. `regression`
/// is which one, as in "A logistic regression".
std::string coefficient_words(const CertifyOutcome& outcome, const Model& names, const std::string& regression);

/// Names of the columns of all classes jointly, one block for each class but the last, as in "dose of setosa" and "the
/// intercept of setosa". `raw` has the classes, the features and their names. No names if there are very many columns.
Model joint_names(const Model& raw, bool origin);

/// Adds `infinite_features`, `infinite` and `coefficients`. The lists only if they aren't long, or `full` asks.
void add_coefficients(const CertifyOutcome& outcome, const Model& names, bool full, Json& object);

}  // namespace linsep

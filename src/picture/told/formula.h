// Scores as formulas: "z = 3·x1 + 2·x2 − 4".
#pragma once

#include <cstddef>
#include <string>

#include "linsep/certificate.h"
#include "linsep/model.h"

namespace linsep {

/// Terms that a formula shows at most; then "…".
inline constexpr std::size_t kFormulaTerms = 6;

/// The score of a linear model in the columns as they are written; "" of other forms.
std::string formula_text(const Model& model);

/// The separator of a proof that has one weight vector of whole numbers on few columns, without their common divisor;
/// else "". `names` says what columns are called.
std::string separator_text(const Certificate& certificate, const Model& names);

}  // namespace linsep

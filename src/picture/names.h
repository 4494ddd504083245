// What rows, models and separators are called in a picture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "linsep/certificate.h"
#include "linsep/model.h"
#include "linsep/source.h"

namespace linsep {
/// Which of the schema's classes a label as written is; labels that are numbers are compared as numbers. −1: none.
std::int64_t label_index(const Schema& schema, const std::string& label);

/// The rows as written, by number; `rows` in any order. Empty without data, and where they can't be read again.
std::map<std::int64_t, WrittenRow> written_by_row(Source* data, std::span<const std::int64_t> rows);

/// "2, 0.5", or "x3 = 2, x17 = 0.5" of a sparse row; shortened after a few values.
std::string values_text(const WrittenRow& row, const Schema& schema, std::uint32_t features);

/// Whether (R/γ)² bounds the mistakes of the learner that made a model.
bool has_mistake_bound(const Model& model);

/// "variant averaged, rate 0.5": the options that aren't at their default; "" where all are, or where the learner isn't
/// known.
std::string options_not_default(const Model& model);

/// Terms that a formula shows at most; then "…".
inline constexpr std::size_t kFormulaTerms = 6;

/// The score of a linear model in the columns as they are written; "" of other forms.
std::string formula_text(const Model& model);

/// The separator of a proof that has one weight vector of whole numbers on few columns, without their common divisor;
/// else "". `names` says what columns are called.
std::string separator_text(const Certificate& certificate, const Model& names);

}  // namespace linsep

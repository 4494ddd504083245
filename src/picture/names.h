// Names of rows, models and separators in a picture.
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
/// Which of the schema's classes a label as written is. Labels that are numbers are compared as numbers. −1 if it is
/// none.
std::int64_t label_index(const Schema& schema, const std::string& label);

/// The rows as written, by number. `rows` may be in any order. Empty without data, and if they can't be read again.
std::map<std::int64_t, WrittenRow> written_by_row(Source* data, std::span<const std::int64_t> rows);

/// "2, 0.5", or "x3 = 2, x17 = 0.5" for a sparse row. Shortened after a few values.
std::string values_text(const WrittenRow& row, const Schema& schema, std::uint32_t features);

/// Whether (R/γ)² bounds the mistakes of the learner that made a model.
bool has_mistake_bound(const Model& model);

/// The options that aren't at their default, as in "variant averaged, rate 0.5". "" if all are, or if the learner isn't
/// known.
std::string options_not_default(const Model& model);

/// The most terms of a formula before "…".
inline constexpr std::size_t kFormulaTerms = 6;

/// The score of a linear model in the columns as they are written, or "" for other forms.
std::string formula_text(const Model& model);

}  // namespace linsep

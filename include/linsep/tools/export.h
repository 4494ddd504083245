// Models in other languages: ONNX, SQL and C. What is written encodes raw rows as the model's table does and gives the
// same labels; docs/howto/export.md says how near the scores are. A model that a language can't say is refused with a
// usage Error which names the column, the reason and what to do.
#pragma once

#include <string>

#include "linsep/model.h"

namespace linsep {

enum class SqlDialect { kDuckDb, kPostgreSql };

/// The bytes of a file of ONNX: opset 21 with ai.onnx.ml 4, everything in double. Inputs are the model's columns by
/// name, outputs `label`, `score` and, of a calibrated model, `probability`.
std::string export_onnx(const Model& model);

/// The same for engines that are quick with floats, of a model of numbers without missing values: one input `x`, rows ×
/// columns in the model's order, as floats. Weights and sums are floats too, so scores have about 7 digits and labels
/// near the boundary may differ.
std::string export_onnx_float(const Model& model);

/// One SELECT that adds `predicted`, `score` and, of a calibrated model, `probability` to the columns of the table
/// called `from`.
std::string export_sql(const Model& model, SqlDialect dialect, const std::string& from = "data");

/// One file of C99 that needs the standard library only and allocates nothing. Its functions and its struct begin with
/// `name`, of which whatever no identifier can hold becomes '_'.
std::string export_c(const Model& model, const std::string& name);

}  // namespace linsep

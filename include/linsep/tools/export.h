// Models in other languages: ONNX, SQL and C. The files encode raw rows like the model's table and give the same
// labels. docs/howto/export.md states how near the scores are. A model that a language can't express is refused with a
// usage Error that names the column, the reason and what to do.
#pragma once

#include <string>

#include "linsep/model.h"

namespace linsep {

enum class SqlDialect { kDuckDb, kPostgreSql };

/// The bytes of an ONNX file, opset 21 with ai.onnx.ml 4, everything in double. Inputs are the model's columns by name.
/// Outputs are `label`, `score` and, for a calibrated model, `probability`.
std::string export_onnx(const Model& model);

/// The same for engines that are fast with floats, for a model of numbers without missing values. It has one input `x`,
/// rows × columns in the model's order, as floats. Weights and sums are floats too, so scores have about 7 digits and
/// labels near the boundary may differ.
std::string export_onnx_float(const Model& model);

/// One SELECT that adds `predicted`, `score` and, for a calibrated model, `probability` to the columns of the table
/// called `from`.
std::string export_sql(const Model& model, SqlDialect dialect, const std::string& from = "data");

/// One file of C99 that needs the standard library only and allocates nothing. Its functions and its struct begin with
/// `name`, in which '_' replaces whatever no identifier can hold.
std::string export_c(const Model& model, const std::string& name);

}  // namespace linsep

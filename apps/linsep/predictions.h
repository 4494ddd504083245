// The forms in which `linsep predict` writes. Each is one value of PredictionFormat.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linsep/model.h"
#include "linsep/tools/fields.h"

namespace linsep::app {
/// The values that are written for every row, in this order.
struct PredictionColumns {
  std::vector<std::string> kept;  ///< names of columns passed through
  std::vector<FieldType> types;   ///< their types
  bool scores = false, probabilities = false;
};

/// Some rows. Each span holds what belongs to the first row, to the second, and so on.
struct PredictedRows {
  const Model& model;
  std::span<const double> z;
  std::span<const double> probabilities;  ///< empty unless they are asked for
  std::span<const std::string> kept;
};

struct PredictionFormat {
  std::string_view name;
  std::vector<std::string_view> endings;  ///< of files that are written in this form unless another one is asked for
  bool keeps_columns = false;             ///< PredictionColumns::kept may be there
  /// The text before the first row.
  std::string (*header)(const Model& model, const PredictionColumns& columns);
  std::string (*rows)(const PredictedRows& rows, const PredictionColumns& columns);
  /// The text after the last row, from the sizes of all that `rows` returned. If null, there is none.
  std::string (*end)(const Model& model, const PredictionColumns& columns,
                     std::span<const std::uint64_t> sizes) = nullptr;
  bool parquet = false;  ///< the output is a stream of Arrow, to be turned into Parquet
};

/// All of them: lines (the label, and the score and probability after tabs), csv, tsv, svmlight, arrow (a file),
/// arrow-stream, parquet.
std::span<const PredictionFormat> prediction_formats();

/// The form called `name`. If that is empty, the one of the file's ending. If that decides nothing, one that keeps
/// columns if there are some, otherwise lines. Throws a usage Error.
const PredictionFormat& prediction_format(const std::string& name, const std::string& path, bool keeps_columns);

/// The predicted label, which is a class. With label columns it is their classes, and with sets the labels that the row
/// has, with commas between them.
std::string predicted_label(const Model& model, std::span<const double> z);

/// "score", or "score_NAME" for each of several scores.
std::vector<std::string> names_of_parts(const Model& model, std::string_view what);

}  // namespace linsep::app

// Predictions as Arrow: the parts of a file or a stream, with the columns that CSV has.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "report/predictions.h"

namespace linsep::app {

std::string arrow_file_header(const Model& model, const PredictionColumns& columns);
std::string arrow_stream_header(const Model& model, const PredictionColumns& columns);
std::string arrow_rows(const PredictedRows& rows, const PredictionColumns& columns);
std::string arrow_file_footer(const Model& model, const PredictionColumns& columns,
                              std::span<const std::uint64_t> sizes);
std::string arrow_stream_footer(const Model& model, const PredictionColumns& columns,
                                std::span<const std::uint64_t> sizes);

}  // namespace linsep::app

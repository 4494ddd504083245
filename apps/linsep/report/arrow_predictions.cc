#include "report/arrow_predictions.h"

#include "linsep/tools/arrow_writer.h"

namespace linsep::app {
namespace {

/// Kept columns and labels are text, everything else numbers; a regression predicts numbers.
std::vector<ArrowField> fields_of(const Model& model, const PredictionColumns& columns) {
  std::vector<ArrowField> fields;
  for (const std::string& name : columns.kept) fields.push_back({name, false});
  fields.push_back({"prediction", model.regression});
  const auto add_numbers = [&](std::string_view what) {
    for (const std::string& name : names_of_parts(model, what)) fields.push_back({name, true});
  };
  if (columns.scores && !model.regression) add_numbers("score");
  if (columns.probabilities) add_numbers("probability");
  return fields;
}

}  // namespace

std::string arrow_file_header(const Model& model, const PredictionColumns& columns) {
  return arrow_file_begin(fields_of(model, columns));
}

std::string arrow_stream_header(const Model& model, const PredictionColumns& columns) {
  return arrow_stream_begin(fields_of(model, columns));
}

std::string arrow_rows(const PredictedRows& rows, const PredictionColumns& columns) {
  const std::vector<ArrowField> fields = fields_of(rows.model, columns);
  const std::size_t parts = scores_per_row(rows.model), count = rows.z.size() / parts, kept = columns.kept.size();
  std::vector<ArrowColumn> cells(fields.size());
  for (std::size_t k = 0; k < kept; ++k) {
    for (std::size_t i = 0; i < count; ++i) cells[k].text.push_back(rows.kept[i * kept + k]);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<const double> z = rows.z.subspan(i * parts, parts);
    if (rows.model.regression) {
      cells[kept].number.push_back(z[0]);
    } else {
      cells[kept].text.push_back(predicted_label(rows.model, z));
    }
  }
  std::size_t next = kept + 1;
  const auto take = [&](std::span<const double> numbers) {
    for (std::size_t p = 0; p < parts; ++p, ++next) {
      for (std::size_t i = 0; i < count; ++i) cells[next].number.push_back(numbers[i * parts + p]);
    }
  };
  if (columns.scores && !rows.model.regression) take(rows.z);
  if (columns.probabilities) take(rows.probabilities);
  return arrow_batch(fields, cells);
}

std::string arrow_file_footer(const Model& model, const PredictionColumns& columns,
                              std::span<const std::uint64_t> sizes) {
  return arrow_file_end(fields_of(model, columns), sizes);
}

std::string arrow_stream_footer(const Model&, const PredictionColumns&, std::span<const std::uint64_t>) {
  return arrow_stream_end();
}

}  // namespace linsep::app

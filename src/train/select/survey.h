// What a selection must know of the rows before it trains.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "linsep/comm.h"
#include "linsep/source.h"
#include "train/class_weights.h"

namespace linsep {

/// This worker's rows, by row number less `first_row`.
struct RowSurvey {
  std::int64_t first_row = 0;
  std::int64_t rows_in_all = 0;           ///< of all workers
  std::size_t parts = 1;                  ///< classifiers: one, or one for each class or label column
  std::vector<std::uint32_t> label;       ///< 0 or 1 of two classes; else an index of a class or combination
  std::vector<std::string> combinations;  ///< of label columns, as Schema has them; else empty
  std::vector<double> weight;             ///< empty: every row weighs 1
  double square = 0;                      ///< mean squared distance from the mean, or from 0 where `origin`

  std::size_t rows() const { return label.size(); }
  double weight_of(std::size_t row) const { return weight.empty() ? 1 : weight[row]; }
  /// Whether classifier number `part` should score the row above 0.
  bool positive(std::size_t part, std::size_t row) const {
    if (!combinations.empty()) return combinations[label[row]][part] == '1';
    return label[row] == (parts == 1 ? 1 : part);
  }
  /// What the row weighs in classifier number `part`.
  double weight_in(std::size_t part, std::size_t row, const ClassWeights& classes) const {
    return weight_of(row) * classes.of_class(label[row]) * (positive(part, row) ? classes.positive : classes.negative);
  }
};

struct SurveyOptions {
  bool square = true;   ///< `RowSurvey::square` is wanted
  bool origin = false;  ///< from 0, not from the mean
};

/// One pass over the rows; `square` is the same on any number of workers. A collective call. Throws an input Error for
/// labels that aren't those of the schema.
RowSurvey survey_rows(Source& rows, const SurveyOptions& options, Comm& comm);

/// Σ weight of all workers' rows, classes' weights included: of one classifier, or the mean over all. A collective
/// call.
double total_weight(const RowSurvey& survey, const ClassWeights& classes, Comm& comm);

}  // namespace linsep

// Which rows a fold holds out, what a selection must know of the rows before it trains, and how classifiers do on rows
// that were held out.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learn/calibrate.h"
#include "learn/margin/losses.h"
#include "learn/margin/penalty.h"
#include "linsep/comm.h"
#include "linsep/select.h"
#include "linsep/source.h"
#include "train/class_weights.h"

namespace linsep {

/// The fold of each of this worker's rows, from 0 to count − 1. The rows of each label are dealt out in the order of a
/// keyed hash of seed and row number, so neither folds nor a label's shares of them differ by more than one row.
/// `label` is by row, from row number `first_row` on. The same folds for any number of workers; a collective call.
/// Throws a usage Error where there are fewer rows than folds.
std::vector<std::uint16_t> deal_folds(std::span<const std::uint32_t> label, std::int64_t first_row, std::int64_t count,
                                      std::uint64_t seed, Comm& comm);

/// How many folds the caller's numbers name. Throws a usage Error where there isn't one for each row, a number is
/// negative or above 999, there are fewer than two, or one has no row.
std::int64_t count_folds(std::span<const std::int32_t> fold, std::int64_t rows);

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
  /// Whether the row is one of classifier number `part`.
  bool labelled(std::size_t part, std::size_t row) const {
    return combinations.empty() || combinations[label[row]][part] != '-';
  }
  /// What the row weighs in classifier number `part`.
  double weight_in(std::size_t part, std::size_t row, const ClassWeights& classes) const {
    if (!labelled(part, row)) return 0;
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

/// What is minimized, but for λ.
struct ObjectiveKind {
  Loss loss = Loss::kHinge;
  Penalty penalty = {};
  bool origin = false;
};

/// The least λ at which θ = 0, with its best offset, is optimal for every classifier; of the hinge loss, one that may
/// be greater. One pass over the rows; the same on any number of workers. A collective call. REQUIRES: the penalty has
/// an L1 part.
double greatest_lambda(Source& rows, const RowSurvey& survey, const ClassWeights& classes,
                       const ObjectiveKind& objective, Comm& comm);

/// Σ weight of all workers' rows, classes' weights included: of one classifier, or the mean over all. A collective
/// call.
double total_weight(const RowSurvey& survey, const ClassWeights& classes, Comm& comm);

/// Rows of all workers with a mistake, as `evaluate` counts them. `score` holds this worker's, of the first classifier
/// for all rows, then of the second, … A collective call.
std::int64_t count_mistakes(const RowSurvey& survey, std::span<const double> score, Comm& comm);

/// Error and loss of rows scored by classifiers that didn't see them. Of several classes the error is that of the
/// greatest score; of label columns it is the mean over them, as the loss is of all classifiers. `fold` is by row,
/// `score` as above. The same bits for any number of workers; a collective call.
HeldOut summarize_held_out(const RowSurvey& survey, std::span<const std::uint16_t> fold, std::int64_t folds,
                           std::span<const double> score, Loss loss, const ClassWeights& classes, Comm& comm);

/// All workers' rows as the calibration of classifier number `part` wants them, with their own weights. A collective
/// call.
std::vector<ScoredRow> scored_rows(const RowSurvey& survey, std::span<const double> score, std::size_t part,
                                   Comm& comm);

}  // namespace linsep

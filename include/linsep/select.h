// select: the margin learner for several λ, the one to keep, and probabilities.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "linsep/train.h"

namespace linsep {

/// How to select, as options beside those of the learner:
///   lambdas        text: "1e-2,1e-3", or "1e-1:1e-5:9" for nine values in equal ratios; "auto": those that suit the
///                  data, powers of ten or, of a penalty with an L1 part, 100 values down from the least λ that leaves
///                  every weight at 0; "": the learner's own λ, or with folds or `features` as "auto"
///   Cs             the same by C = 1/(λ·Σ weight)
///   cv             folds of a cross-validation; 0: none
///   choose         with folds, what decides: "error" or "loss" on rows held out
///   one-se         with folds, keep the greatest λ that is within one standard error of the best
///   features       keep a model with at most this many features, of a penalty with an L1 part; 0: no limit
///   probabilities  "none", "platt" or "isotonic": fitted to scores of rows held out, by 5 folds where "cv" is 0
const OptionTable& selection_options();

/// Whether the options, complete, ask for anything that `fit` doesn't do.
bool asks_for_selection(const Options& selection);

/// What rows said that were not trained on. The spread is the standard error of the folds' mean.
struct HeldOut {
  double error = 0;  ///< mistakes / rows
  double error_spread = 0;
  double loss = 0;  ///< weighted mean of the objective's loss
  double loss_spread = 0;
};

/// A classifier by its weights other than 0.
struct SparseWeights {
  std::vector<std::uint32_t> feature;  ///< ascending; with a map, of the mapped features
  std::vector<double> weight;
  double offset = 0;
};

/// One λ, trained on all rows. Of several classifiers objective is the sum and gap the greatest.
struct SelectionPoint {
  double lambda = 0;
  double objective = 0;
  double gap = 1;
  double norm = 0;             ///< ‖θ‖
  std::int64_t support = 0;    ///< features with a weight other than 0
  std::int64_t mistakes = -1;  ///< on all rows; −1: not counted, as the run was stopped
  std::int64_t passes = 0;
  bool converged = false;           ///< the gap asked for was reached
  std::optional<HeldOut> held_out;  ///< with folds, once all of them are done with this λ
  /// Of a penalty with an L1 part: the classifier, or one for each class or label column.
  std::vector<SparseWeights> weights;
};

struct Selection {
  std::vector<SelectionPoint> path;  ///< λ descending; when the run was stopped, only those it came to
  std::size_t asked = 0;             ///< λ that were to be tried
  std::size_t added = 0;             ///< λ tried beyond those, since the best stood at an end of the path
  std::size_t chosen = 0;            ///< the point whose model was kept
  std::int64_t folds = 0;            ///< 0: none
  double total_weight = 0;           ///< of all rows, classes' weights included: C = 1/(λ·total_weight)
  bool by_loss = false;              ///< held-out loss decided, not error
  bool one_se = false;               ///< the greatest λ within one standard error of the best was kept
  std::int64_t features = 0;         ///< the most that the kept model may have; 0: no limit
  /// The model of the chosen λ; its objective and gap stand in the last record of the history. Reasons: kConverged when
  /// every λ came to its end and the chosen one to its gap.
  Outcome outcome;
};

/// How many λ came to their end, by all folds where there are any.
inline std::size_t finished_points(const Selection& selection) {
  return static_cast<std::size_t>(std::ranges::count_if(selection.path, [&](const SelectionPoint& point) {
    return point.mistakes >= 0 && (selection.folds == 0 || point.held_out);
  }));
}

/// Throws a usage Error where the two sets of options don't fit each other: what can be told before reading data.
void check_selection(const TrainSpec& spec, const Options& selection);

/// Trains spec.learner, which must be "margin", for each λ from the greatest to the least, each started from the one
/// before. Without folds it keeps the last λ; with folds the one of least held-out error (or loss), of equals the
/// greatest. With "features" only λ count whose model has no more; the path ends at the first whose model has. When the
/// limits end the run early, it keeps the best, or the last, of those that are finished.
///
/// More than two classes: each against the rest, and label columns: each by itself, all with the same λ, in the same
/// passes. The held-out error is then that of the greatest score, or the mean over the columns; the held-out loss the
/// mean over the classifiers. Probabilities: a calibration for each.
///
/// With "cv" and a grid (the usual λ, or FROM:TO:COUNT) whose best λ stands at an end and is better than its neighbour,
/// at most six more are tried beyond it (`Selection::added`).
///
/// Folds: rows of each class (of each combination of labels) are dealt out in the order of a keyed hash of their
/// numbers and the seed. `limits.threads` changes no bit of the result; nor does the number of workers, with a solver
/// that runs on any number of them. A collective call.
Selection select(Source& source, const TrainSpec& spec, const Options& selection, const TrainOptions& limits,
                 Comm& comm, const Observer& observe = {});

/// The same on one worker, with folds of the caller's: row i is held out by fold `fold[i]`, from 0 to their number − 1.
/// "cv" is their number, or 0. Throws a usage Error where there isn't one for each row, where a fold has no row, and
/// for a run that keeps a checkpoint, which doesn't know of them.
Selection select(Source& source, const TrainSpec& spec, const Options& selection, std::span<const std::int32_t> fold,
                 const TrainOptions& limits, const Observer& observe = {});

}  // namespace linsep

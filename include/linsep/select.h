// select runs the margin learner for several λ, chooses the one to keep, and fits probabilities.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "linsep/train.h"

namespace linsep {

/// How to select, as options in addition to those of the learner:
///   lambdas        text: "1e-2,1e-3", or "1e-1:1e-5:9" for nine values in equal ratios. "auto" takes those that suit
///                  the data: powers of ten, or with an L1 part in the penalty, 100 values down from the smallest λ
///                  that leaves every weight at 0. "" takes the learner's own λ, or with folds or `features` "auto"
///   Cs             the same by C = 1/(λ·Σ weight)
///   cv             folds of a cross-validation, 0 for none
///   choose         with folds, what decides: "error" or "loss" on rows held out
///   one-se         with folds, keep the largest λ that is within one standard error of the best
///   features       keep a model with at most this many features, if the penalty has an L1 part. 0 for no limit
///   probabilities  "none", "platt" or "isotonic": fitted to scores of rows held out, by 5 folds if "cv" is 0
const OptionTable& selection_options();

/// Whether the options, complete, ask for anything that `fit` doesn't do.
bool asks_for_selection(const Options& selection);

/// The outcome on rows that were not trained on. The spread is the standard error of the folds' mean.
struct HeldOut {
  double error = 0;  ///< mistakes / rows
  double error_spread = 0;
  double loss = 0;  ///< weighted mean of the objective's loss
  double loss_spread = 0;
};

/// A classifier by its weights other than 0.
struct SparseWeights {
  std::vector<std::uint32_t> feature;  ///< ascending. With a map, of the mapped features
  std::vector<double> weight;
  double offset = 0;
};

/// One λ, trained on all rows. With several classifiers the objective is the sum and the gap is the largest.
struct SelectionPoint {
  double lambda = 0;
  double objective = 0;
  double gap = 1;
  double norm = 0;             ///< ‖θ‖
  std::int64_t support = 0;    ///< features with a weight other than 0
  std::int64_t mistakes = -1;  ///< on all rows, or −1 if not counted because the run was stopped
  std::int64_t passes = 0;
  bool converged = false;           ///< the gap asked for was reached
  std::optional<HeldOut> held_out;  ///< with folds, once all of them are done with this λ
  /// With an L1 part in the penalty, the classifier, or one for each class or label column.
  std::vector<SparseWeights> weights;
};

struct Selection {
  std::vector<SelectionPoint> path;  ///< λ descending. If the run was stopped, only those it came to
  std::size_t asked = 0;             ///< λ that were to be tried
  std::size_t added = 0;             ///< λ tried beyond those, because the best stood at an end of the path
  std::size_t chosen = 0;            ///< the point whose model was kept
  std::int64_t folds = 0;            ///< 0 for none
  double total_weight = 0;           ///< of all rows, with classes' weights: C = 1/(λ·total_weight)
  bool by_loss = false;              ///< held-out loss decided, not error
  bool one_se = false;               ///< the largest λ within one standard error of the best was kept
  std::int64_t features = 0;         ///< the most that the kept model may have, 0 for no limit
  /// The model of the chosen λ, with its objective and gap in the last record of the history. The reason is kConverged
  /// if every λ came to its end and the chosen one to its gap.
  Outcome outcome;
};

/// How many λ came to their end, with all folds if there are any.
inline std::size_t finished_points(const Selection& selection) {
  return static_cast<std::size_t>(std::ranges::count_if(selection.path, [&](const SelectionPoint& point) {
    return point.mistakes >= 0 && (selection.folds == 0 || point.held_out);
  }));
}

/// Throws a usage Error if the two sets of options don't fit each other, as far as that is clear before data is read.
void check_selection(const TrainSpec& spec, const Options& selection);

/// Trains spec.learner, which must be "margin", for each λ from the largest to the smallest, each started from the one
/// before. Without folds it keeps the last λ. With folds it keeps the one with the lowest held-out error (or loss), and
/// of equals the largest. With "features" only λ count whose model has no more, and the path ends at the first whose
/// model has. If the limits end the run early, it keeps the best, or the last, of those that are finished.
///
/// With more than two classes, each is trained against the rest. With label columns, each is trained by itself. All
/// have the same λ, in the same passes. The held-out error is then that of the class with the largest score, or the
/// mean over the columns. The held-out loss is the mean over the classifiers. Each classifier gets its own calibration
/// for probabilities.
///
/// With "cv" and a grid (the usual λ, or FROM:TO:COUNT), the best λ may stand at an end of the grid. If it is better
/// than its neighbor, at most six more are tried beyond it (`Selection::added`).
///
/// Folds: rows of each class (of each combination of labels) are dealt out in the order of a keyed hash of their
/// numbers and the seed. `limits.threads` changes no bit of the result, and neither does the number of workers if the
/// solver runs on any number of them. A collective call.
Selection select(Source& source, const TrainSpec& spec, const Options& selection, const TrainOptions& limits,
                 Comm& comm, const Observer& observe = {});

/// The same on one worker, with folds from the caller. Row i is held out by fold `fold[i]`, from 0 to their number − 1.
/// "cv" is their number, or 0. Throws a usage Error if there isn't a fold for each row, if a fold has no row, and for a
/// run that keeps a checkpoint, which has no record of folds.
Selection select(Source& source, const TrainSpec& spec, const Options& selection, std::span<const std::int32_t> fold,
                 const TrainOptions& limits, const Observer& observe = {});

}  // namespace linsep

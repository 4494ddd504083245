// Fits the functions that turn scores into probabilities. The rows should be ones that the classifier hasn't seen,
// because scores of rows it was trained on are too good.
//
// Both functions take rows in any order, and the same rows give the same bits.
#pragma once

#include <vector>

#include "linsep/model.h"

namespace linsep {

struct ScoredRow {
  double score = 0;
  double label = 0;   ///< −1 or +1
  double weight = 1;  ///< a row of weight 0 doesn't count
};

/// The sigmoid with the smallest log loss against the targets (n₊+1)/(n₊+2) for positive rows and 1/(n₋+2) for negative
/// ones (Platt, 1999), where n₊ and n₋ are the classes' weights. Found by Newton's method with halved steps (Lin, Lin &
/// Weng, 2007). If all scores are equal, the slope is 0. Throws an input Error for a score that isn't finite, or if no
/// row counts.
Calibration fit_sigmoid(std::vector<ScoredRow> rows);

/// The nondecreasing function of the score with the smallest squared error against 1 for positive rows and 0 for
/// negative ones, among those within 1/(n₋+2) … (n₊+1)/(n₊+2). The bounds are there because few rows never prove that
/// something is impossible. Found by pooling adjacent violators, after rows of equal score are pooled. A pool has a
/// knot at its smallest and one at its largest score. Throws as fit_sigmoid does.
Calibration fit_isotonic(std::vector<ScoredRow> rows);

}  // namespace linsep

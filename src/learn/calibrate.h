// Fits what makes probabilities of scores. The rows should be ones that the classifier hasn't seen: scores of rows it
// was trained on are too good.
//
// Both take rows in any order: the same rows give the same bits.
#pragma once

#include <vector>

#include "linsep/model.h"

namespace linsep {

struct ScoredRow {
  double score = 0;
  double label = 0;   ///< −1 or +1
  double weight = 1;  ///< a row of weight 0 doesn't count
};

/// A sigmoid of least log loss against the targets (n₊+1)/(n₊+2) for positive rows and 1/(n₋+2) for negative ones
/// (Platt, 1999), where n₊ and n₋ are the classes' weights. By Newton's method with halved steps (Lin, Lin & Weng,
/// 2007). Where all scores are equal, the slope is 0. Throws an input Error for a score that isn't finite, or when no
/// row counts.
Calibration fit_sigmoid(std::vector<ScoredRow> rows);

/// The never falling function of the score of least squared error against 1 for positive rows and 0 for negative ones,
/// among those within 1/(n₋+2) … (n₊+1)/(n₊+2): few rows never prove that something is impossible. By pooling adjacent
/// violators; rows of equal score are pooled first. A pool has a knot at its least and one at its greatest score.
/// Throws as fit_sigmoid does.
Calibration fit_isotonic(std::vector<ScoredRow> rows);

}  // namespace linsep

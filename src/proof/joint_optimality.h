// Bounds on the objective of all classes together (softmax): what optimality.cc is for two classes.
#pragma once

#include "linsep/optimality.h"
#include "proof/columns.h"
#include "proof/leaves.h"
#include "proof/objective_bounds.h"

namespace linsep {

/// Whether the proof is about a classifier of all classes together.
inline bool is_joint(const OptimalityProof& proof) { return proof.objective.loss == Loss::kSoftmax; }

/// The columns of its classifiers: a block for each class. Without a block if there are too many.
Columns joint_columns(const OptimalityProof& proof);

/// The bounds that a proof's witness gives. Throws a Refusal.
ObjectiveBounds joint_bounds(const OptimalityProof& proof, const EachLeaf& each_leaf, int threads);

}  // namespace linsep

// What training leaves must be finite numbers, or it is no model.
#pragma once

#include "linsep/comm.h"
#include "linsep/plan.h"
#include "linsep/train.h"

namespace linsep {

bool is_finite(const Model& model);

/// Throws an input Error, on every worker, where some worker's model or last objective isn't finite. It names the
/// column of `rows` with the largest values, where they can be gone through again, and the options that help.
/// REQUIRES: the model is complete, and `rows` are those before the map.
void require_finite(const Outcome& outcome, const LearnerInfo& learner, Source& rows, Comm& comm);

}  // namespace linsep

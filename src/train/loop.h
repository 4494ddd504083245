// The one loop with checkpoints.
#pragma once

#include "linsep/train.h"
#include "train/checkpoint/checkpoint.h"

namespace linsep {

/// `train`, from where an earlier run has come and with checkpoints on the way; nullptr: without.
Outcome train_from(Checkpoints* checkpoints, Source& source, Learner& learner, const TrainOptions& options, Comm& comm,
                   const Observer& observe);

}  // namespace linsep

// What surrounds the training of a hard margin: whether there is one, and how wide it is, both for the values as
// written.
#pragma once

#include <functional>
#include <optional>

#include "linsep/train.h"

namespace linsep {

struct HardQuestion {
  bool origin = false;
  FeatureMap map;
};

/// Certifies the rows first. Nothing where they are separable; else how the run ends: inseparable with its proof, or
/// out of time. Throws Error for a row of weight 0.
std::optional<Outcome> refuse_inseparable(Source& source, const HardQuestion& question, const TrainOptions& limits,
                                          Comm& comm, const Observer& observe);

/// Trains again where no separator was found and the values are so large or small that their squares leave the range of
/// doubles: on `rows` with all values times one power of two, which changes the margin by it and nothing else. `train`
/// makes a learner of its own. Nothing where that can't help.
std::optional<Outcome> fit_scaled(Source& rows, const Outcome& outcome, const std::function<Outcome(Source&)>& train,
                                  Comm& comm);

struct MarginProof {
  bool certificate = false;  ///< is wanted as well
  const TrainOptions& limits;
};

/// Sets `outcome.hard_margin` by a pass over the rows as written, and where it is wanted the certificate. False where
/// the model doesn't separate them, or where training has used up its time and there is no moment left for such a pass.
bool prove_margin(Source& source, const HardQuestion& question, const MarginProof& wanted, Comm& comm,
                  Outcome& outcome);

}  // namespace linsep

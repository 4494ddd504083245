// What surrounds the training of a hard margin: whether there is one, and how wide it is, both for the values as
// written.
#pragma once

#include <optional>

#include "linsep/train.h"

namespace linsep {

struct HardQuestion {
  bool origin = false;
  FeatureMap map;
};

/// Certifies the rows first. Nothing where they are separable; else how the run ends: inseparable with its proof, or
/// out of time. Throws Error for a row of weight 0. What certifying took comes off `limits.time_limit`.
std::optional<Outcome> refuse_inseparable(Source& source, const HardQuestion& question, TrainOptions& limits,
                                          Comm& comm, const Observer& observe);

/// Sets `outcome.hard_margin` by a pass over the rows as written, and with `certify` the certificate.
void prove_margin(Source& source, const HardQuestion& question, bool certify, Comm& comm, Outcome& outcome);

}  // namespace linsep

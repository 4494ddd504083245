// An observer of a part of a longer call: it hears the records with the call's phase.
#pragma once

#include "linsep/progress.h"

namespace linsep {

/// Nothing for nothing. REQUIRES: `observe` outlives the result.
inline Observer in_phase(Phase phase, const Observer& observe) {
  if (!observe) return {};
  return [phase, &observe](const Progress& progress) {
    Progress told = progress;
    told.phase = phase;
    observe(told);
  };
}

}  // namespace linsep

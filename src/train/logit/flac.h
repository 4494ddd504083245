// FLAC augments rows by what Firth's penalty stands for (Puhr, Heinze, Nold, Lusa & Geroldinger, 2017).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "linsep/source.h"
#include "train/logit/likelihood.h"
#include "train/logit/search.h"

namespace linsep {

/// The leverages h_i of all rows at a maximum, by number. REQUIRES: one worker.
std::vector<double> leverages(Likelihood& likelihood, const LogitSearch& maximum);

/// Each row three times. The first copy is as it is. The other two have label +1 and −1, the weight h_i/2 and a 1 in a
/// new column behind the `features`. REQUIRES: `inner` outlives the result.
std::unique_ptr<Source> augment_rows(Source& inner, std::vector<double> leverage, std::uint32_t features);

}  // namespace linsep

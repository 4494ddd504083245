// WeightedSource: the rows of another source, each with its weight multiplied by that of its class.
#pragma once

#include <memory>
#include <vector>

#include "linsep/source.h"

namespace linsep {

/// A row whose label is c gets its weight times by_class[c]. REQUIRES: labels are indices below by_class.size();
/// `inner` outlives the result.
std::unique_ptr<Source> weigh_classes(Source& inner, std::vector<double> by_class);

}  // namespace linsep

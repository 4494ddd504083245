// A model's options as a person reads them.
#pragma once

#include <string>

#include "linsep/model.h"

namespace linsep {

/// "variant averaged, rate 0.5": the options that aren't at their default; "" where all are, or where the learner isn't
/// known.
std::string options_not_default(const Model& model);

}  // namespace linsep

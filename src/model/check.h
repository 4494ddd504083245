// What must hold of every model. Said only here: files are checked by it when written and when read.
#pragma once

#include <string>

#include "linsep/model.h"

namespace linsep {

/// The first thing that is wrong with the model, as a sentence without a full stop; "" when nothing is.
/// A model without a problem can be scored, described and written.
std::string problem_of(const Model& model);

}  // namespace linsep

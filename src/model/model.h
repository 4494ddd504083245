// What other rooms need of models beyond linsep/model.h.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "linsep/model.h"

namespace linsep {

/// What must hold of every model is said only here: files are checked by it when written and when read.
/// The first thing that is wrong with the model, as a sentence without a full stop; "" when nothing is.
/// A model without a problem can be scored, described and written.
std::string problem_of(const Model& model);

/// −log of the probability of the row's own class, given those of all; never infinite: it counts as 2⁻¹⁰²² at least.
double class_log_loss(std::span<const double> probability, std::size_t own);

}  // namespace linsep

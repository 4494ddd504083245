// Functions for models that other rooms need beyond linsep/model.h.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "linsep/model.h"

namespace linsep {

/// The first thing that is wrong with the model, as a sentence without a full stop, or "" if nothing is. This is the
/// only place that lists what must hold of every model, and files are checked by it both when written and when read. A
/// model without a problem can be scored, described and written.
std::string problem_of(const Model& model);

/// −log of the probability of the row's own class, given those of all. It is never infinite, because a probability
/// counts as 2⁻¹⁰²² or more.
double class_log_loss(std::span<const double> probability, std::size_t own);

}  // namespace linsep

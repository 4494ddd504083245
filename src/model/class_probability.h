// What the probabilities of several classes are worth.
#pragma once

#include <cstddef>
#include <span>

namespace linsep {

/// −log of the probability of the row's own class, given those of all; never infinite: it counts as 2⁻¹⁰²² at least.
double class_log_loss(std::span<const double> probability, std::size_t own);

}  // namespace linsep

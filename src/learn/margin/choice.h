// Which solver the margin learner takes for data of a shape, and why. Made once per training, on the mapped shape.
#pragma once

#include "learn/margin/losses.h"
#include "learn/margin/solvers.h"
#include "linsep/options.h"
#include "linsep/source.h"

namespace linsep {

/// The loss that complete options ask for.
Loss margin_loss(const Options& options);

/// Whether the options ask for the hard margin (hard/hard.h).
bool is_hard_margin(const Options& options);

/// The solver to begin with for data of this shape. Throws a usage Error where the solver asked for doesn't fit the
/// loss or the number of workers.
SolverChoice choose_margin_solver(const Options& options, const Shape& shape, int workers = 1);
/// The same for the hard margin.
SolverChoice choose_hard_solver(const Shape& shape, int workers = 1);

}  // namespace linsep

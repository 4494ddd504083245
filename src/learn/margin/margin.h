// The learner "margin": maximum margin and its relatives, to a certified gap.
//
// Objective: weighted mean of the loss + λ·R(θ), R the penalty (penalty.h): ½‖θ‖² by default. The offset isn't
// penalized. With "C" instead of "lambda", λ = 1/(C·n), where n is the rows' total weight (their number, when none has
// a weight).
#pragma once

#include <memory>

#include "learn/entry.h"
#include "learn/margin/solvers.h"
#include "linsep/options.h"

namespace linsep {

OptionTable margin_options();

/// Takes complete options. `start` (may be nullptr): begin from its theta and offset. The rows should come in the order
/// that the solver wants (SolverEntry::order).
std::unique_ptr<Learner> make_margin(const Options& options, const Model* start, const LearnerRun& run = {});
/// All classes together, by a loss that is of all of them.
std::unique_ptr<Learner> make_joint_margin(const Options& options, std::size_t classes, const LearnerRun& run = {});
/// The same learner, for a path of λ.
std::unique_ptr<LambdaLearner> make_lambda_margin(const Options& options, const Model* start,
                                                  const LearnerRun& run = {});

}  // namespace linsep

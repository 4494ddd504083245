// The perceptron of several classes, corrected together.
#pragma once

#include <memory>

#include "learn/entry.h"
#include "linsep/learner.h"
#include "linsep/options.h"

namespace linsep {

/// The perceptron with a θ for each of several classes (a label is the class's index). On a mistake the right class
/// gains and the best wrong one loses. Takes the options of the perceptron except "init", "trace" and voting.
std::unique_ptr<Learner> make_joint_perceptron(const Options& options, std::size_t classes, const LearnerRun& run = {});

}  // namespace linsep

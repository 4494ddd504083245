// The softmax loss of several classes, trained together.
#pragma once

#include <memory>

#include "learn/entry.h"
#include "learn/margin/softmax/task.h"
#include "linsep/learner.h"

namespace linsep {

/// Labels are indices of classes. Runs on any number of workers, with the same result.
std::unique_ptr<Learner> make_softmax(const SoftmaxSettings& settings, const SolverChoice& choice);

}  // namespace linsep

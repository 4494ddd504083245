// Weights of classes on the way to a learner.
#pragma once

#include <vector>

#include "linsep/comm.h"
#include "linsep/plan.h"

namespace linsep {

/// The factors by which the objective multiplies a row's weight. With more than two classes it is the weight of the
/// row's own class, and in each classifier that of the side on which the row is.
struct ClassWeights {
  double positive = 1, negative = 1;
  std::vector<double> by_class = {};  ///< for more than two classes. Empty if all are 1

  double of_class(std::size_t label) const { return by_class.empty() ? 1 : by_class[label]; }
};

/// The weights given by the options "class-weight", or "positive-weight" and "negative-weight". If the classes are to
/// be balanced, a pass over the rows adds up the weight of each, the same on any number of workers. Throws a usage
/// Error for label columns, and for a name that is no class. A collective call.
ClassWeights class_weights(const TrainPlan& plan, Source& source, Comm& comm);

/// The plan's options in the form that its learner takes. The weights of two classes become those of the sides.
Options learner_options(const TrainPlan& plan, const ClassWeights& weights);

}  // namespace linsep

// Weights of classes on the way to a learner.
#pragma once

#include <vector>

#include "linsep/comm.h"
#include "linsep/plan.h"

namespace linsep {

/// What the objective makes of a row's weight: that of its own class where there are more than two, and in each
/// classifier that of the side on which the row is.
struct ClassWeights {
  double positive = 1, negative = 1;
  std::vector<double> by_class = {};  ///< of more than two classes; empty: all 1

  double of_class(std::size_t label) const { return by_class.empty() ? 1 : by_class[label]; }
};

/// As the options say: "class-weight", or "positive-weight" and "negative-weight". Where the classes are to be
/// balanced, a pass over the rows adds up what each weighs, the same on any number of workers. A collective call.
/// Throws a usage Error for label columns, and for a name that is no class.
ClassWeights class_weights(const TrainPlan& plan, Source& source, Comm& comm);

/// The plan's options as its learner takes them: two classes' weights are those of the sides.
Options learner_options(const TrainPlan& plan, const ClassWeights& weights);

}  // namespace linsep

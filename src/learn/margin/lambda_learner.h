// LambdaLearner: a learner of the margin objective that can continue with another λ.
#pragma once

#include "linsep/learner.h"

namespace linsep {

class LambdaLearner : public Learner {
 public:
  /// Between two passes: from now on the objective is that of `lambda`, and what was found serves as the start. The
  /// model and the gap are those of the new objective. False: nothing was changed, as this learner must begin anew.
  virtual bool change_lambda(double lambda) = 0;
};

}  // namespace linsep

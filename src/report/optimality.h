// How good a trained model is, in words for people and as one object for programs.
#pragma once

#include <string>

#include "linsep/optimality.h"
#include "report/json.h"

namespace linsep {

struct OptimalityReport {
  std::string data;   ///< as named on the command line
  std::string model;  ///< likewise; "": only a proof was given
  std::string proof;  ///< where it was written, or read from; "": nowhere
  std::string check;  ///< the command that checks it; "": it was just checked
  const OptimalityProof& bounds;
};

/// "the model's objective", and what it is of: "logistic loss, λ = 3.07e-05".
std::string objective_words(const TrainingObjective& objective);
/// "objective 0.123211, at least 30.2 % and at most 30.4 % above the best possible one (0.0945437, proven)": the last
/// number is what no classifier's objective is below.
std::string audit_words(const OptimalityProof& proof);
std::string optimality_words(const OptimalityReport& report);
Json optimality_json(const OptimalityReport& report);

}  // namespace linsep

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
/// An exact number as a double; approximately.
double approximate_number(const std::string& exact);
/// "objective 0.123211, at least 30.2 % and at most 30.4 % above the best possible one (0.0945437, proven)": the last
/// number is what no classifier's objective is below.
std::string audit_words(const OptimalityProof& proof);
/// Both bounds, and how far apart they are: two sentences.
std::string objective_sentences(const OptimalityProof& proof);
/// How far any weight can be from its best possible value, ‖θ − θ*‖ ≤ √(2·(at_most − at_least)/(λ(1 − ρ))). Infinite
/// with an L1 penalty alone.
double weight_radius(const OptimalityProof& proof);
/// The rows, both bounds, and how far apart they are.
std::string bounds_words(const OptimalityReport& report);
/// The same, and where the proof is.
std::string optimality_words(const OptimalityReport& report);
Json optimality_json(const OptimalityReport& report);

}  // namespace linsep

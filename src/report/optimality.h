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
std::string objective_words(const OptimalityProof& proof);
/// An exact number as a double; approximately.
double approximate_number(const std::string& exact);
/// "objective 0.123211, at least 30.2 % and at most 30.4 % above the best possible one (0.0945437, proven)": the last
/// number is what no classifier's objective is below.
std::string audit_words(const OptimalityProof& proof);
/// Both bounds, and how far apart they are: two sentences. Of several parts those of the worst one.
std::string objective_sentences(const OptimalityProof& proof);
/// How near the best possible weights are, and how many of their signs are certain: a sentence. "" with the L1 penalty
/// alone.
std::string weights_sentence(const OptimalityProof& proof);
/// How many labels the best possible classifier's are certain for, and which of its weights are 0: a line each.
std::string check_sentences(const OptimalityProof& proof, const OptimalityCheck& check);
/// The rows, both bounds, and how far apart they are.
std::string bounds_words(const OptimalityReport& report);
/// The same, and where the proof is.
std::string optimality_words(const OptimalityReport& report);
Json optimality_json(const OptimalityReport& report);
/// What the check found, to be added to that.
void add_check(Json& object, const OptimalityCheck& check);

}  // namespace linsep

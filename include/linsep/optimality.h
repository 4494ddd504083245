// OptimalityProof: how far a trained model is from the best possible one, in a form that a stranger can check.
//
// The objective is F(θ, θ0) = (1/W)·Σ w_i·ℓ(m_i) + (λ/2)·‖θ‖² with the margins m_i = y_i(θ·x_i + θ0), w_i the weight of
// the row's class and W = Σ w_i; the intercept θ0 isn't penalized. A proof says of one model that its objective is at
// most one number, and that no classifier's is below another. Numbers are exact, as in a Certificate, and so are rows:
// as written. The file is described in docs/reference/formats/certificate.md ("How good a model is").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "linsep/certificate.h"
#include "linsep/choices.h"
#include "linsep/model.h"

namespace linsep {

/// What a model was trained for. Losses of two classes only.
struct TrainingObjective {
  Loss loss = Loss::kHinge;
  std::string lambda = {};                                   ///< exact, above 0
  std::string negative_weight = "1", positive_weight = "1";  ///< of the classes' rows; exact, above 0

  bool operator==(const TrainingObjective&) const = default;
};

/// What proves the lower bound: a share a_i of each row (docs/explanation/proof-rules.md, "How good a model is").
struct DualWitness {
  /// Smooth losses: a_i = −ℓ′ at the margin that the model's weights and this intercept give, an exact number.
  std::optional<std::string> offset = {};
  /// Otherwise one character for each row: '0' and '1' are a_i, and '*' is the next of `between`.
  std::string shares = {};
  std::vector<std::uint64_t> between = {};  ///< a_i·2⁴⁰

  bool operator==(const DualWitness&) const = default;
};

/// A plain value.
struct OptimalityProof {
  bool origin = false;  ///< classifiers through the origin: the intercept is 0
  DataDigest data;
  TrainingObjective objective;
  ExactWeights model;             ///< θ, and θ0 at the column `data.features`
  std::string at_most, at_least;  ///< bounds on the model's objective, and on every classifier's
  DualWitness witness;

  bool operator==(const OptimalityProof&) const = default;
};

/// (at_most − at_least)/at_most, as a double that isn't below it. REQUIRES: the bounds are exact numbers.
double proven_gap(const OptimalityProof& proof);

/// Why no proof can be about such a model, in words that complete "a proof of how good a model is …"; "" if one can.
/// Looks at its learner, options, form and map.
std::string why_unprovable(const Model& model);
/// Throws a usage Error that says so.
void require_provable(const Model& model);

/// Proves how good a model is that the learner margin made, of rows that have all the same weight: reads what it was
/// trained for from its options, finds a witness and seals the proof. Throws a usage Error for a model that no proof
/// can be about.
OptimalityProof prove_optimality(const Model& model, Source& data, const ProofOptions& options = {},
                                 const Observer& observe = {});

/// Fills in `data` and both bounds: one pass over the rows as written. Throws Error where a row isn't of the two
/// classes or isn't numbers, or where the witness doesn't fit.
void seal_optimality(OptimalityProof& proof, Source& data, const ProofOptions& options = {},
                     const Observer& observe = {});

/// Checks a proof exactly; as verify_certificate.
CheckResult verify_optimality(const OptimalityProof& proof, Source& data, const ProofOptions& options = {},
                              const Observer& observe = {});

/// The file as text, and back. Reading throws an input Error that says what is wrong with the file.
std::string optimality_to_json(const OptimalityProof& proof);
OptimalityProof optimality_from_json(std::string_view json, const std::string& name_for_errors);
/// The file appears whole or not at all. Throws a system Error.
void save_optimality(const OptimalityProof& proof, const std::string& path);

/// A proof of either kind: about all classifiers, or about one model.
std::variant<Certificate, OptimalityProof> proof_from_json(std::string_view json, const std::string& name_for_errors);
std::variant<Certificate, OptimalityProof> load_proof(const std::string& path);

}  // namespace linsep

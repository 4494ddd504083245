// OptimalityProof: how far a trained model is from the best possible one, in a form that a stranger can check.
//
// The objective is F(θ, θ0) = (1/W)·Σ w_i·ℓ(m_i) + (λ/2)·(‖θ‖² + κ·θ0²) with the margins m_i = y_i(θ·x_i + θ0), w_i the
// weight of the row times that of its class and W = Σ w_i. κ is 0 unless a tool penalizes the intercept. A proof says
// of one model that its objective is at most one number, and that no classifier's is below another. Numbers are exact,
// as in a Certificate, and so are rows: as written. The file is described in docs/reference/formats/certificate.md
// ("How good a model is").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "linsep/certificate.h"
#include "linsep/choices.h"
#include "linsep/comm.h"
#include "linsep/model.h"

namespace linsep {

/// What a model was trained for.
struct TrainingObjective {
  Loss loss = Loss::kHinge;
  std::string lambda = {};                                   ///< exact, above 0
  std::string negative_weight = "1", positive_weight = "1";  ///< of the classes' rows; exact, above 0
  std::string offset_penalty = "0";                          ///< κ; exact, at least 0
  std::string l1_ratio = "0";  ///< ρ of the penalty λ·(ρ·‖θ‖₁ + (1 − ρ)/2·‖θ‖²); exact, from 0 to 1; with κ = 0 only
  /// Instead of the other two, of each class; exact, above 0: softmax, and one class against the rest if a row's weight
  /// is multiplied by that of its own class.
  std::vector<std::string> class_weights = {};

  bool operator==(const TrainingObjective&) const = default;
};

/// What proves the lower bound: a share a_i of each row (docs/explanation/proof-rules.md, "How good a model is").
struct DualWitness {
  /// Smooth losses: a_i = −ℓ′ at the margin that the classifier's weights and this intercept give, an exact number.
  std::optional<std::string> offset = {};
  /// Softmax: the shares p_ic of a row are e^z_ic over their sum, of scores with these intercepts, an exact number for
  /// each class.
  std::vector<std::string> offsets = {};
  /// With either: every share is multiplied by scale/2⁴⁰, so that no sum is beyond what the L1 part allows. 0: by 1.
  /// (Softmax: those of other classes than the row's own.)
  std::uint64_t scale = 0;
  /// Otherwise one character for each row: '0' and '1' are a_i, and '*' is the next of `between`.
  std::string shares = {};
  std::vector<std::uint64_t> between = {};  ///< a_i·2⁴⁰

  bool operator==(const DualWitness&) const = default;
};

/// Another classifier, which training found.
struct ReferenceClassifier {
  ExactWeights weights;  ///< as OptimalityProof::model
  /// Exact. If above 0: the model's objective is higher than this classifier's by at least so much.
  std::string lower_by = "0";

  bool operator==(const ReferenceClassifier&) const = default;
};

/// A plain value. Of a softmax, `model` and a reference have a block of columns for each class, in their order: its θ,
/// and unless through the origin its θ0.
struct OptimalityProof {
  bool origin = false;  ///< classifiers through the origin: the intercept is 0
  DataDigest data;
  TrainingObjective objective;
  ExactWeights model;             ///< θ, and θ0 at the column `data.features`
  std::string at_most, at_least;  ///< bounds on the model's objective, and on every classifier's
  DualWitness witness;
  /// If it is there, a witness by an offset takes its scores from this classifier, not from the model.
  std::optional<ReferenceClassifier> reference = {};
  /// Of a model with a classifier for each of several classes against the rest: a proof of each, in the order of the
  /// classes, whose `data.positive` is the class. `origin` and `data` are the only other fields with a value then.
  std::vector<OptimalityProof> parts = {};

  bool operator==(const OptimalityProof&) const = default;
};

/// (at_most − at_least)/at_most, as a double that isn't below it; of several parts the largest. REQUIRES: the bounds
/// are exact numbers.
double proven_gap(const OptimalityProof& proof);
/// The part whose objective may be furthest above the best possible one: the proof itself if it has no parts.
const OptimalityProof& worst_part(const OptimalityProof& proof);

/// Of a proof with a reference: the share of the best possible objective by which the model's is above it, at least and
/// at most. As doubles, the first not above what is proven and the second not below it. Infinite if nothing is proven
/// of the best possible one. Of several parts those of the worst one.
struct AboveBest {
  double at_least = 0, at_most = 0;
};
AboveBest above_best(const OptimalityProof& proof);

// What follows about the best possible classifiers, which are those of the least objective (docs/explanation/
// proof-rules.md, "What follows about the best classifier"). As true as the bounds are.

/// No weight of theirs is further from the model's than this, √(2·(at_most − at_least)/(λ(1 − ρ))): as a double that
/// isn't below it. Infinite with the L1 penalty alone. Of several parts the largest.
double weights_within(const OptimalityProof& proof);
/// By column: the sign of their weight, −1 or 1, if the bounds show it; else 0. Of several parts one after the other.
std::vector<int> certain_signs(const OptimalityProof& proof);

/// Why no proof can be about such a model, in words that complete "a proof of how good a model is …"; "" if one can.
/// Looks at its learner, options, form and map.
std::string why_unprovable(const Model& model);
/// Throws a usage Error that says so.
void require_provable(const Model& model);

/// Proves how good a model is that the learner margin made: reads what it was trained for from its options, finds a
/// witness and seals the proof. Of several classes each against the rest, or all together. Throws a usage Error for a
/// model that no proof can be about.
OptimalityProof prove_optimality(const Model& model, Source& data, const ProofOptions& options = {},
                                 const Observer& observe = {});
/// The same where every worker has a shard of the rows, in the order of the ranks, as all calls with a Comm here. They
/// are collective, and what they return is the same on all workers, and the same as one worker's.
OptimalityProof prove_optimality(const Model& model, Source& data, Comm& comm, const ProofOptions& options = {},
                                 const Observer& observe = {});

/// A linear classifier that some tool trained, and what it trained it for. Numbers are exact ones or decimals as
/// written anywhere, such as "1e-05".
struct GivenWeights {
  bool origin = false;
  std::uint32_t features = 0;
  std::vector<std::string> classes = {};  ///< negative and positive; empty: those of the rows
  TrainingObjective objective;            ///< without `lambda` if `c` is there
  std::string c = {};                     ///< C: λ = 1/(C·W)
  std::string class_weight = {};          ///< as `linsep train --class-weight`; replaces the objective's weights
  ExactWeights weights;                   ///< θ, and θ0 at the column `features`
  /// If it is there, the last weight isn't θ0 but that of a column which is this number in every row: θ0 is the
  /// product. Then κ is 1/constant² unless the objective says otherwise: its `offset_penalty` may be "".
  std::string constant = {};
};

/// The loss of that name, of those that proofs about two classes are about: hinge, squared-hinge, logistic. Throws a
/// usage Error.
Loss provable_loss(std::string_view name);

/// Proves how good given weights are. Where a gap of more than `gap` is all that the weights' own scores prove, linsep
/// trains for the same objective: what it finds is the proof's reference. Of the loss softmax, weights are of all
/// classes in their order, as in OptimalityProof. Throws a usage Error for rows or an objective that no proof can be
/// about.
OptimalityProof audit_weights(const GivenWeights& given, Source& data, double gap, const ProofOptions& options = {},
                              const Observer& observe = {});
/// The same for several classes, each against the rest: weights for each, in the order of the rows' classes, whose
/// `classes` are left empty.
OptimalityProof audit_parts(const std::vector<GivenWeights>& given, Source& data, double gap,
                            const ProofOptions& options = {}, const Observer& observe = {});
OptimalityProof audit_weights(const GivenWeights& given, Source& data, double gap, Comm& comm,
                              const ProofOptions& options = {}, const Observer& observe = {});
/// The same for a model of linsep's.
OptimalityProof audit_model(const Model& model, Source& data, double gap, const ProofOptions& options = {},
                            const Observer& observe = {});
OptimalityProof audit_model(const Model& model, Source& data, double gap, Comm& comm, const ProofOptions& options = {},
                            const Observer& observe = {});

/// Fills in the bounds and, unless its root is there already, `data`: one pass over the rows as written for each of the
/// two. `data.positive` of several classes stays. Throws Error where a row isn't of the two
/// classes or isn't numbers, or where the witness doesn't fit.
void seal_optimality(OptimalityProof& proof, Source& data, const ProofOptions& options = {},
                     const Observer& observe = {});
void seal_optimality(OptimalityProof& proof, Source& data, Comm& comm, const ProofOptions& options = {},
                     const Observer& observe = {});

/// What the check of a proof shows besides, if it is valid.
struct OptimalityCheck : CheckResult {
  std::int64_t certain_labels = 0;          ///< rows whose label by every best possible classifier the shares show
  std::vector<std::uint32_t> zeros = {};    ///< columns whose weight is 0 in every one of them
  std::vector<OptimalityCheck> parts = {};  ///< of a proof with parts; then the two others have no value
};

/// Checks a proof exactly; as verify_certificate.
OptimalityCheck verify_optimality(const OptimalityProof& proof, Source& data, const ProofOptions& options = {},
                                  const Observer& observe = {});
OptimalityCheck verify_optimality(const OptimalityProof& proof, Source& data, Comm& comm,
                                  const ProofOptions& options = {}, const Observer& observe = {});

/// The file as text, and back. Reading throws an input Error that says what is wrong with the file.
std::string optimality_to_json(const OptimalityProof& proof);
OptimalityProof optimality_from_json(std::string_view json, const std::string& name_for_errors);
/// The file appears whole or not at all. Throws a system Error.
void save_optimality(const OptimalityProof& proof, const std::string& path);

/// A proof of either kind: about all classifiers, or about one model.
std::variant<Certificate, OptimalityProof> proof_from_json(std::string_view json, const std::string& name_for_errors);
std::variant<Certificate, OptimalityProof> load_proof(const std::string& path);

}  // namespace linsep

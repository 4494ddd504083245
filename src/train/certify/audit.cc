// How good a classifier of another tool is, by proof. Its own scores bound the best possible objective from below.
// Where that says little, linsep trains for the same objective: the bound then comes from the trained classifier, which
// also shows by how much the given one is worse at least.

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/decorators.h"
#include "exact/number.h"
#include "learn/margin/losses.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/optimality.h"
#include "linsep/train.h"
#include "proof/canonical.h"
#include "proof/exact_text.h"
#include "train/certify/near_optimal.h"

namespace linsep {

std::string exact_text(const std::string& text, const char* what) {
  std::string exact;
  if (parse_exact(text)) return text;
  if (!append_canonical(text, exact)) throw usage_error(fmt::format("{} isn't a number: {}", what, text));
  return exact;
}

namespace {

/// The reference is found to within this share of the gap that was asked for.
constexpr double kReferenceShare = 0.25;

Rational exact_number(const std::string& text, const char* what) { return parse_exact(exact_text(text, what)).value(); }

double above_zero(const std::string& text, const char* what) {
  const double value = approximate(exact_number(text, what));
  if (!(value > 0) || !std::isfinite(value)) throw usage_error(fmt::format("{} must be above 0, not {}", what, text));
  return value;
}

std::string negated(const std::string& exact) { return exact.starts_with('-') ? exact.substr(1) : "-" + exact; }

/// θ and θ0 as exact numbers, without zeros, and the offset's penalty if the last weight is that of a constant column.
void take_weights(const GivenWeights& given, OptimalityProof& proof) {
  for (const ColumnWeight& entry : given.weights) {
    const std::string weight = exact_text(entry.weight, "a weight");
    if (sign_of(exact_number(weight, "a weight")) != 0) proof.model.push_back({entry.column, weight});
  }
  std::string& penalty = proof.objective.offset_penalty;
  if (!given.constant.empty()) {
    above_zero(given.constant, "the constant column");
    const Rational constant = exact_number(given.constant, "the constant column");
    if (!proof.model.empty() && proof.model.back().column == given.features) {
      proof.model.back().weight = to_text(exact_number(proof.model.back().weight, "a weight") * constant);
    }
    if (penalty.empty()) penalty = to_text(Rational(Integer(1)) / (constant * constant));
  }
  penalty = exact_text(penalty, "the intercept's penalty");
  if (sign_of(exact_number(penalty, "the intercept's penalty")) == 0) penalty = "0";
  if (penalty != "0") above_zero(penalty, "the intercept's penalty");
  if (penalty != "0" && given.origin) throw usage_error("a classifier without an intercept has none to penalize");
}

/// The proof without a witness: the weights for the classes as the data has them, and λ and weights of classes as exact
/// numbers.
OptimalityProof proof_about(const GivenWeights& given, const DataDigest& about, const Source& data,
                            const std::array<Rational, 2>& totals) {
  OptimalityProof proof;
  proof.origin = given.origin;
  proof.data = about;
  proof.data.features = given.features;
  proof.objective = given.objective;
  take_weights(given, proof);
  std::vector<std::string> classes = given.classes.empty() ? data.schema().classes : given.classes;
  TrainingObjective& objective = proof.objective;
  if (is_turned(data.schema(), classes)) {
    for (ColumnWeight& entry : proof.model) entry.weight = negated(entry.weight);
    std::swap(objective.negative_weight, objective.positive_weight);
    std::swap(classes[0], classes[1]);
  }
  if (!given.class_weight.empty()) {
    const std::vector<Rational> weights = exact_class_weights(given.class_weight, classes, totals);
    objective.negative_weight = to_text(weights[0]);
    objective.positive_weight = to_text(weights[1]);
  }
  for (std::string* weight : {&objective.negative_weight, &objective.positive_weight}) {
    above_zero(*weight, "a class's weight");
    *weight = exact_text(*weight, "a class's weight");
  }
  if (!given.c.empty()) {
    above_zero(given.c, "C");
    const std::array<Rational, 2> weights = {exact_number(objective.negative_weight, "a weight"),
                                             exact_number(objective.positive_weight, "a weight")};
    objective.lambda = to_text(lambda_of(exact_number(given.c, "C"), total_of(weights, totals)));
  }
  above_zero(objective.lambda, "lambda");
  objective.lambda = exact_text(objective.lambda, "lambda");
  return proof;
}

bool penalizes_offset(const OptimalityProof& proof) { return proof.objective.offset_penalty != "0"; }

/// Training for the same objective, and the proof about what it found: of the rows with a constant column if the
/// intercept is penalized.
OptimalityProof trained_proof(const OptimalityProof& proof, QuestionRows& rows, const DataDigest& about, double gap,
                              const ProofOptions& options, const Observer& observe) {
  const bool origin = proof.origin || penalizes_offset(proof);
  const Model model = train_for(proof, origin, kReferenceShare * gap, rows, options, observe);
  return prove_two_classes(model, rows, about, options, observe);
}

/// The weights of rows with a constant column as weights and an offset.
ExactWeights without_constant(ExactWeights weights, std::uint32_t features, double constant) {
  if (!weights.empty() && weights.back().column == features) {
    const Rational offset = exact_number(weights.back().weight, "a weight") * Rational(constant);
    weights.back().weight = to_text(offset);
  }
  return weights;
}

/// The offset of weights, "0" without one.
std::string offset_of(const ExactWeights& weights, std::uint32_t features) {
  return weights.empty() || weights.back().column != features ? "0" : weights.back().weight;
}

/// The shares' intercept of the weights' own scores: where it is free, the one at which both classes' shares balance.
std::string own_offset(const OptimalityProof& proof, const WeighedLabels& labels, Source& data, Comm& comm,
                       const ProofOptions& options) {
  const std::uint32_t features = proof.data.features;
  std::string own = offset_of(proof.model, features);
  if (proof.origin || penalizes_offset(proof)) return own;
  Model linear;
  linear.features = features;
  linear.offset = approximate(exact_number(own, "a weight"));
  linear.theta.assign(features, 0.0);
  for (const ColumnWeight& entry : proof.model) {
    if (entry.column < features) linear.theta[entry.column] = approximate(exact_number(entry.weight, "a weight"));
  }
  const TrainingObjective& objective = proof.objective;
  return shortest_decimal(balanced_offset(
      objective.loss, linear, labels,
      {exact_number(objective.negative_weight, "a weight"), exact_number(objective.positive_weight, "a weight")}, data,
      comm, options));
}

/// The weights whose scores a witness is of.
ExactWeights& scored(OptimalityProof& proof) { return proof.reference ? proof.reference->weights : proof.model; }

/// Adds a reference that training finds, and takes its witness.
void add_reference(OptimalityProof& proof, QuestionRows& rows, double gap, const ProofOptions& options,
                   const Observer& observe) {
  const std::uint32_t features = proof.data.features;
  OptimalityProof trained;
  if (penalizes_offset(proof)) {
    const double constant = 1 / std::sqrt(above_zero(proof.objective.offset_penalty, "the intercept's penalty"));
    const std::unique_ptr<Source> longer = with_constant_column(rows.all(), constant);
    const bool streams = facts_of(proof.objective.loss).smooth && proof.objective.l1_ratio == "0";
    const std::unique_ptr<Source> copied = streams ? nullptr : copy_into_memory(*longer);
    QuestionRows with_constant = rows.of(copied ? *copied : *longer);
    DataDigest about;
    about.positive = rows.positive();
    trained = trained_proof(proof, with_constant, about, gap, options, observe);
    scored(trained) = without_constant(std::move(scored(trained)), features, constant);
    if (trained.witness.offset) trained.witness.offset = offset_of(scored(trained), features);
  } else {
    trained = trained_proof(proof, rows, proof.data, gap, options, observe);
  }
  proof.witness = std::move(trained.witness);
  proof.reference = ReferenceClassifier{std::move(scored(trained))};
  seal_optimality(proof, rows.all(), rows.comm(), options, observe);
}

/// The bound by training, unless the proof has a better one already.
OptimalityProof audited(OptimalityProof proof, QuestionRows& rows, double gap, const ProofOptions& options,
                        const Observer& observe) {
  const bool sealed = !proof.at_most.empty();  // the hinge's own scores prove nothing
  if (sealed && (gap >= 1 || proven_gap(proof) <= gap)) return proof;
  OptimalityProof other = proof;
  add_reference(other, rows, gap, options, observe);
  return sealed && proven_gap(proof) < proven_gap(other) ? proof : other;
}

OptimalityProof audit_two_classes(const GivenWeights& given, QuestionRows& rows, const DataDigest& about, double gap,
                                  const ProofOptions& options, const Observer& observe) {
  const WeighedLabels labels = weighed_labels(rows.two(), rows.comm());
  OptimalityProof proof = proof_about(given, about, rows.two(), labels.total);
  if (facts_of(proof.objective.loss).smooth) {
    proof.witness.offset = own_offset(proof, labels, rows.two(), rows.comm(), options);
    seal_optimality(proof, rows.all(), rows.comm(), options, observe);
  }
  return audited(std::move(proof), rows, gap, options, observe);
}

}  // namespace

Loss provable_loss(std::string_view name) {
  for (const Loss loss : {Loss::kHinge, Loss::kSquaredHinge, Loss::kLogistic}) {
    if (facts_of(loss).name == name) return loss;
  }
  throw usage_error(fmt::format("the loss must be hinge, squared-hinge or logistic, not {}", name));
}

OptimalityProof audit_weights(const GivenWeights& given, Source& data, double gap, const ProofOptions& options,
                              const Observer& observe) {
  return audit_weights(given, data, gap, *solo(), options, observe);
}

OptimalityProof audit_weights(const GivenWeights& given, Source& data, double gap, Comm& comm,
                              const ProofOptions& options, const Observer& observe) {
  if (given.objective.loss == Loss::kSoftmax) {
    require_single_worker(comm);
    return audit_jointly(given, data, gap, options, observe);
  }
  QuestionRows rows(data, comm);
  return audit_two_classes(given, rows, {}, gap, options, observe);
}

OptimalityProof audit_parts(const std::vector<GivenWeights>& given, Source& data, double gap,
                            const ProofOptions& options, const Observer& observe) {
  if (given.empty() || given.size() != data.schema().classes.size()) {
    throw usage_error(fmt::format("there are weights of {} classes, and the rows have {}", given.size(),
                                  data.schema().classes.size()));
  }
  const ClassFactors none;
  const auto prove = [&](std::size_t c, QuestionRows& rows, const DataDigest& about) {
    return audit_two_classes(given[c], rows, about, gap, options, observe);
  };
  return proof_of_parts(data, *solo(), given.front().origin, none, prove);
}

OptimalityProof audit_model(const Model& model, Source& data, double gap, const ProofOptions& options,
                            const Observer& observe) {
  return audit_model(model, data, gap, *solo(), options, observe);
}

OptimalityProof audit_model(const Model& model, Source& data, double gap, Comm& comm, const ProofOptions& options,
                            const Observer& observe) {
  if (has_parts(model)) {
    require_provable(model);
    if (is_joint(model)) {
      require_single_worker(comm);
      return prove_jointly(complete_model(model), data, gap, options, observe);
    }
    require_same_classes(model, data.schema());
    const ClassFactors factors = class_factors(model, data, comm);
    const auto prove = [&](std::size_t c, QuestionRows& rows, const DataDigest& about) {
      return audited(prove_two_classes(classifier_of(model, c), rows, about, options, observe), rows, gap, options,
                     observe);
    };
    return proof_of_parts(data, comm, model.origin, factors, prove);
  }
  QuestionRows rows(data, comm);
  return audited(prove_two_classes(model, rows, {}, options, observe), rows, gap, options, observe);
}

}  // namespace linsep

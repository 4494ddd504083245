// How good a model is that tells several classes apart together (the loss softmax): what near_optimal.cc and audit.cc
// are for two classes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/elementary.h"
#include "exact/number.h"
#include "learn/margin/losses.h"
#include "learn/margin/solvers.h"
#include "linsep/comm.h"
#include "linsep/error.h"
#include "linsep/optimality.h"
#include "linsep/train.h"
#include "numeric/compensated_sum.h"
#include "numeric/symmetric_matrix.h"
#include "proof/exact_text.h"
#include "train/certify/near_optimal.h"

namespace linsep {
namespace {

/// Rows whose scores without intercepts are known, for the intercepts that suit them best.
struct RowsOfClasses {
  std::size_t classes = 0;
  std::vector<double> score = {};  ///< of the first row for each class, of the second, …
  const std::vector<std::uint32_t>& own;
  std::vector<double> cost = {};  ///< the weight of the row times that of its class

  double loss(std::span<const double> offset) const {
    Sum sum;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const double* z = &score[i * classes];
      double top = -std::numeric_limits<double>::infinity(), total = 0;
      for (std::size_t c = 0; c < classes; ++c) top = std::max(top, z[c] + offset[c]);
      for (std::size_t c = 0; c < classes; ++c) total += elementary::exp(z[c] + offset[c] - top);
      sum.add(cost[i] * (top + elementary::log(total) - z[own[i]] - offset[own[i]]));
    }
    return sum.value();
  }

  /// Newton's step in all intercepts but the last, which stays; none if the matrix can't be factored.
  std::vector<double> step(std::span<const double> offset) const {
    std::vector<Sum> slope(classes);
    std::vector<double> share(classes);
    SymmetricMatrix bend;
    bend.resize(classes - 1);
    bend.clear();
    for (std::size_t i = 0; i < own.size(); ++i) {
      const double* z = &score[i * classes];
      double top = -std::numeric_limits<double>::infinity(), total = 0;
      for (std::size_t c = 0; c < classes; ++c) top = std::max(top, z[c] + offset[c]);
      for (std::size_t c = 0; c < classes; ++c) total += share[c] = elementary::exp(z[c] + offset[c] - top);
      for (double& each : share) each /= total;
      const double w = cost[i];
      for (std::size_t c = 0; c < classes; ++c) slope[c].add(w * (share[c] - (c == own[i] ? 1 : 0)));
      for (std::size_t c = 0; c + 1 < classes; ++c) {
        bend.at(c, c) += w * share[c];
        for (std::size_t k = c; k + 1 < classes; ++k) bend.at(c, k) -= w * share[c] * share[k];
      }
    }
    std::vector<double> step(classes - 1);
    for (std::size_t c = 0; c + 1 < classes; ++c) step[c] = slope[c].value();
    if (!bend.factor(1)) return {};
    bend.solve(step);
    return step;
  }
};

/// The intercepts at which each class's shares have its rows' weight as their sum, as nearly as doubles tell: Newton's
/// method with steps that are halved until the loss doesn't rise.
std::vector<double> balanced_offsets(const RowsOfClasses& rows, std::vector<double> offset) {
  constexpr int kSteps = 50;
  constexpr double kShortest = 1e-6, kEnough = 1e-14;
  double best = rows.loss(offset);
  for (int k = 0; k < kSteps; ++k) {
    const std::vector<double> step = rows.step(offset);
    if (step.empty()) break;
    std::vector<double> moved;
    double value = 0, length = 1;
    for (; length > kShortest; length /= 2) {
      moved = offset;
      for (std::size_t c = 0; c < step.size(); ++c) moved[c] -= length * step[c];
      value = rows.loss(moved);
      if (value <= best) break;
    }
    if (!(length > kShortest)) break;
    double furthest = 0, largest = 1;
    for (std::size_t c = 0; c < step.size(); ++c) {
      furthest = std::max(furthest, std::abs(step[c]));
      largest = std::max(largest, std::abs(offset[c]));
    }
    offset = moved;
    best = value;
    if (furthest <= kEnough * largest) break;
  }
  return offset;
}

/// The classifier of a proof as a model whose scores can be had. Approximately.
Model scored_model(const OptimalityProof& proof, const ExactWeights& weights) {
  const std::size_t classes = proof.data.classes.size();
  const std::uint32_t features = proof.data.features, block = features + (proof.origin ? 0 : 1);
  Model model;
  model.form = Model::Form::kClasses;
  model.origin = proof.origin;
  model.features = features;
  model.schema.classes = proof.data.classes;
  model.theta.assign(classes * features, 0.0);
  model.offsets.assign(classes, 0.0);
  for (const ColumnWeight& entry : weights) {
    const double weight = approximate(parse_exact(entry.weight).value());
    const std::size_t c = entry.column / block, column = entry.column % block;
    (column == features ? model.offsets[c] : model.theta[c * features + column]) = weight;
  }
  return model;
}

/// Puts in the intercepts of the shares that follow from these weights' scores.
void take_witness(OptimalityProof& proof, const ExactWeights& weights, const WeighedClasses& classes, Source& data,
                  const ProofOptions& options) {
  Model model = scored_model(proof, weights);
  proof.witness.offsets.assign(model.offsets.size(), "0");
  if (proof.origin) return;
  RowsOfClasses rows{model.offsets.size(), {}, classes.own, classes.weight};
  std::vector<double> of_class;
  for (const std::string& weight : proof.objective.class_weights) {
    of_class.push_back(approximate(parse_exact(weight).value()));
  }
  for (std::size_t i = 0; i < rows.cost.size(); ++i) rows.cost[i] *= of_class[classes.own[i]];
  std::vector<double> offset = std::exchange(model.offsets, std::vector<double>(model.offsets.size(), 0.0));
  predict(data, model, options,
          [&](const Batch&, std::span<const double> z) { rows.score.insert(rows.score.end(), z.begin(), z.end()); });
  offset = balanced_offsets(rows, std::move(offset));
  for (std::size_t c = 0; c < offset.size(); ++c) proof.witness.offsets[c] = shortest_decimal(offset[c]);
}

ExactWeights weights_of(const Model& model) {
  ExactWeights weights;
  const std::uint32_t block = model.features + (model.origin ? 0 : 1);
  for (std::size_t c = 0; c < model.offsets.size(); ++c) {
    const auto first = static_cast<std::uint32_t>(c * block);
    const std::span<const double> theta = linsep::weights_of(model, c);
    for (std::uint32_t j = 0; j < theta.size(); ++j) {
      if (theta[j] != 0) weights.push_back({first + j, shortest_decimal(theta[j])});
    }
    if (model.offsets[c] != 0) weights.push_back({first + model.features, shortest_decimal(model.offsets[c])});
  }
  return weights;
}

/// A reference that training for the same objective finds, unless the proof's gap is small enough already.
OptimalityProof audited(const OptimalityProof& proof, const WeighedClasses& classes, Source& data, double gap,
                        const ProofOptions& options, const Observer& observe) {
  constexpr double kReferenceShare = 0.25;  // as for two classes
  if (gap >= 1 || proven_gap(proof) <= gap) return proof;
  const TrainingObjective& objective = proof.objective;
  TrainSpec spec;
  spec.options = {{"loss", std::string(facts_of(Loss::kSoftmax).name)},
                  {"lambda", approximate(parse_exact(objective.lambda).value())},
                  {"gap", kReferenceShare * gap},
                  {"origin", proof.origin}};
  std::string weights;
  for (std::size_t c = 0; c < objective.class_weights.size(); ++c) {
    if (objective.class_weights[c] == "1") continue;
    weights += fmt::format("{}{}={}", weights.empty() ? "" : ",", proof.data.classes[c],
                           approximate(parse_exact(objective.class_weights[c]).value()));
  }
  if (!weights.empty()) spec.options["class-weight"] = weights;
  if (objective.l1_ratio != "0") spec.options["l1-ratio"] = approximate(parse_exact(objective.l1_ratio).value());
  OptimalityProof other = proof;
  other.reference = ReferenceClassifier{weights_of(fit(data, spec, TrainOptions{options}, *solo(), observe).model)};
  take_witness(other, other.reference->weights, classes, data, options);
  seal_optimality(other, data, options, observe);
  return proven_gap(proof) < proven_gap(other) ? proof : other;
}

}  // namespace

OptimalityProof prove_jointly(const Model& model, Source& data, double gap, const ProofOptions& options,
                              const Observer& observe) {
  require_same_classes(model, data.schema());
  const WeighedClasses classes = weighed_classes(data, *solo());
  const std::vector<Rational> weights =
      exact_class_weights(get_text(model.options, "class-weight"), data.schema().classes, classes.total);
  OptimalityProof proof;
  proof.origin = model.origin;
  proof.data.features = model.features;
  proof.objective.loss = Loss::kSoftmax;
  for (const Rational& weight : weights) proof.objective.class_weights.push_back(to_text(weight));
  Rational lambda = decimal_number(get_number(model.options, "lambda"));
  if (sign_of(lambda) == 0) {
    lambda = lambda_of(decimal_number(get_number(model.options, "C")), total_of(weights, classes.total));
  }
  proof.objective.lambda = to_text(lambda);
  proof.objective.l1_ratio = to_text(decimal_number(margin_penalty(model.options).l1_ratio));
  proof.model = weights_of(model);
  proof.data.classes = data.schema().classes;
  take_witness(proof, proof.model, classes, data, options);
  seal_optimality(proof, data, options, observe);
  return audited(proof, classes, data, gap, options, observe);
}

OptimalityProof audit_jointly(const GivenWeights& given, Source& data, double gap, const ProofOptions& options,
                              const Observer& observe) {
  const WeighedClasses classes = weighed_classes(data, *solo());
  OptimalityProof proof;
  proof.origin = given.origin;
  proof.data.features = given.features;
  proof.data.classes = data.schema().classes;
  proof.objective = given.objective;
  if (proof.objective.class_weights.empty()) proof.objective.class_weights.assign(classes.total.size(), "1");
  for (const ColumnWeight& entry : given.weights) {
    const std::string weight = exact_text(entry.weight, "a weight");
    if (sign_of(parse_exact(weight).value()) != 0) proof.model.push_back({entry.column, weight});
  }
  proof.objective.lambda = exact_text(proof.objective.lambda, "lambda");
  take_witness(proof, proof.model, classes, data, options);
  seal_optimality(proof, data, options, observe);
  return audited(proof, classes, data, gap, options, observe);
}

}  // namespace linsep

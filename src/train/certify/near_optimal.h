// What both proofs of how good a classifier is need: of a model of linsep's, and of given weights.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "exact/number.h"
#include "linsep/certificate.h"
#include "linsep/choices.h"
#include "linsep/model.h"
#include "linsep/source.h"

namespace linsep {

/// The shortest decimal that gives back the number, as a model file has it. Throws a usage Error unless it is finite.
std::string shortest_decimal(double value);

/// What an objective takes of rows besides their values: y_i times the weight w_i, and the sum of the weights of the
/// negative class and of the positive one, as decimals that give the weights back.
struct WeighedLabels {
  std::vector<double> cost;
  std::array<Rational, 2> total = {};

  /// y_i·w_i times the weight of the class, those of the negative and the positive one.
  std::vector<double> cost_with(const std::array<Rational, 2>& weights) const;
};
/// Throws a usage Error unless the rows have two classes.
WeighedLabels weighed_labels(Source& data);

/// Whether a classifier's negative class is the positive one of the data. Throws a usage Error for other classes.
bool is_turned(const Schema& data, const std::vector<std::string>& classes);

/// The weights of classes by an option like `--class-weight`, of the negative and the positive class.
/// `totals`: what the rows of each weigh.
std::array<Rational, 2> exact_class_weights(std::string_view option, const std::vector<std::string>& classes,
                                            const std::array<Rational, 2>& totals);

/// λ of the objective ½‖θ‖² + C·Σ w·ℓ, divided by C and by the rows' weights.
Rational lambda_of(const Rational& c, const std::array<Rational, 2>& weights, const std::array<Rational, 2>& totals);

/// The intercept at which the shares of both classes have the same sum, as nearly as doubles tell: that of the model if
/// rows of a class are missing. REQUIRES: the loss is smooth.
double balanced_offset(Loss loss, const Model& model, const WeighedLabels& labels,
                       const std::array<Rational, 2>& weights, Source& data, const ProofOptions& options);

}  // namespace linsep

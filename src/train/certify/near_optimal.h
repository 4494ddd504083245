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

/// The labels of rows of two classes that all weigh the same: anything else is a usage Error.
std::vector<double> labels_of_equal_rows(Source& data);
/// How many rows each class has: the negative one, the positive one.
std::array<std::int64_t, 2> count_classes(const std::vector<double>& labels);

/// Whether a classifier's negative class is the positive one of the data. Throws a usage Error for other classes.
bool is_turned(const Schema& data, const std::vector<std::string>& classes);

/// The weights of classes by an option like `--class-weight`, of the negative and the positive class.
std::array<Rational, 2> exact_class_weights(std::string_view option, const std::vector<std::string>& classes,
                                            const std::array<std::int64_t, 2>& counts);

/// λ of the objective ½‖θ‖² + C·Σ w·ℓ, divided by C and by the rows' weights.
Rational lambda_of(const Rational& c, const std::array<Rational, 2>& weights,
                   const std::array<std::int64_t, 2>& counts);

/// The intercept at which the shares of both classes have the same sum, as nearly as doubles tell: that of the model if
/// rows of a class are missing. REQUIRES: the loss is smooth.
double balanced_offset(Loss loss, const Model& model, const std::vector<double>& labels,
                       const std::array<Rational, 2>& weights, Source& data, const ProofOptions& options);

}  // namespace linsep

// Learners as plain values with typed options, as in `fit(x, y, Margin{.loss = Loss::kLogistic, .C = 10})`.
//
// Each converts to the TrainSpec with the same options by name. The meaning, range and default of an option stand in
// the learner's table (learner_info), and a test holds the two together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "linsep/choices.h"
#include "linsep/model.h"
#include "linsep/train.h"

namespace linsep {

/// θ += η·y·x on a mistake.
struct Perceptron {
  enum class Variant { kLast, kAveraged, kVoted };
  enum class Multiclass { kRest, kJoint };

  bool origin = false;
  std::int64_t passes = 100;
  std::int64_t seed = 1;
  RowOrder order = RowOrder::kGiven;
  double rate = 1;
  bool weighted = false;  ///< corrections are multiplied by the row's weight
  std::vector<double> init = {};
  double init_offset = 0;
  Variant variant = Variant::kLast;
  Multiclass multiclass = Multiclass::kRest;
  bool trace = false;

  operator TrainSpec() const;
};

/// The perceptron in its dual form.
struct DualPerceptron {
  bool origin = false;
  std::int64_t passes = 100;
  std::int64_t seed = 1;
  RowOrder order = RowOrder::kGiven;
  Kernel kernel = {};
  double gram_cache = 256;  ///< MB
  bool trace = false;

  operator TrainSpec() const;
};

/// θ is the difference of the class means, the threshold halfway between them.
struct Basic {
  bool origin = false;

  operator TrainSpec() const;
};

/// θ = M⁻¹(n⊕μ⊕ − n⊖μ⊖).
struct LeastSquares {
  enum class Matrix { kAuto, kIdentity, kDiagonal, kFull, kConjugateGradients };

  bool origin = false;
  std::int64_t passes = 1000;
  Matrix matrix = Matrix::kAuto;
  double ridge = 0;
  double tolerance = 1e-8;

  operator TrainSpec() const;
};

/// min over θ, θ0 of (λ/2)‖θ‖² + mean loss, or with `hard` the separator of largest margin.
struct Margin {
  enum class Solver { kAuto, kDual, kInterior, kNewton, kPlanes, kWorkingSet, kColumns };

  bool origin = false;
  std::int64_t passes = 5000;
  std::int64_t seed = 1;
  Loss loss = Loss::kHinge;
  double lambda = 0;  ///< 0 for by C
  double C = 1;       ///< λ = 1/(C·rows)
  bool hard = false;
  PenaltyKind penalty = PenaltyKind::kL2;
  double l1_ratio = 0;          ///< ρ. With kElasticNet 0 means 0.5
  bool group_features = false;  ///< with softmax, a feature's weights of all classes are penalized as one
  double gap = 1e-3;
  Solver solver = Solver::kAuto;
  double positive_weight = 1, negative_weight = 1;
  std::string class_weight = {};  ///< "balanced", or "a=2,b=1"

  operator TrainSpec() const;
};

/// Perceptron regression, which predicts a number.
struct Regression {
  enum class Rule { kSigned, kSquared };

  bool origin = false;
  std::int64_t passes = 100;
  std::int64_t seed = 1;
  RowOrder order = RowOrder::kGiven;
  Rule rule = Rule::kSigned;
  double rate = 0.01;
  bool weighted = false;  ///< corrections are multiplied by the row's weight
  double residual_bound = 0;

  operator TrainSpec() const;
};

}  // namespace linsep

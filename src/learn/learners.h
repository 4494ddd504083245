// Every learner's option table and maker. A maker takes complete options (complete_options of its table).
#pragma once

#include <memory>

#include "linsep/learner.h"
#include "linsep/options.h"

namespace linsep {

/// θ += η·y·x on a mistake. Variants: last, averaged, voted.
OptionTable perceptron_options();
/// `start` (may be nullptr): begin from its theta and offset; the "init" option comes first.
std::unique_ptr<Learner> make_perceptron(const Options& options, const Model* start);

/// The perceptron with a θ for each of several classes (a label is the class's place): on a mistake the right class
/// gains and the best wrong one loses. Takes the options of the perceptron, but for "init", "trace" and voting.
std::unique_ptr<Learner> make_joint_perceptron(const Options& options, std::size_t classes);

/// The perceptron in its dual form, with kernels.
OptionTable dual_perceptron_options();
std::unique_ptr<Learner> make_dual_perceptron(const Options& options);

/// θ = μ⊕ − μ⊖, threshold half way between the means.
OptionTable basic_options();
std::unique_ptr<Learner> make_basic(const Options& options);

/// θ = M⁻¹(n⊕μ⊕ − n⊖μ⊖).
OptionTable least_squares_options();
std::unique_ptr<Learner> make_least_squares(const Options& options);

/// Perceptron regression, by the signed (Widrow–Hoff) or the printed squared rule.
OptionTable regression_options();
std::unique_ptr<Learner> make_regression(const Options& options);

}  // namespace linsep

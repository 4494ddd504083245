#include "linsep/specs.h"

#include <string>
#include <string_view>

#include "learn/margin/losses.h"
#include "linsep/learner_info.h"

namespace linsep {
namespace {

/// The name of a choice, which the learner's table lists in the order of its enum.
template <class Enum>
std::string name_of(std::string_view learner, std::string_view option, Enum value) {
  return std::string(find_option(learner_info(learner).table, option)->choices.at(static_cast<std::size_t>(value)));
}

}  // namespace

Perceptron::operator TrainSpec() const {
  return {.learner = "perceptron",
          .options = {{"origin", origin},
                      {"passes", passes},
                      {"seed", seed},
                      {"order", name_of("perceptron", "order", order)},
                      {"rate", rate},
                      {"weighted", weighted},
                      {"init", init},
                      {"init-offset", init_offset},
                      {"variant", name_of("perceptron", "variant", variant)},
                      {"multiclass", name_of("perceptron", "multiclass", multiclass)},
                      {"trace", trace}}};
}

DualPerceptron::operator TrainSpec() const {
  return {.learner = "dual",
          .options = {{"origin", origin},
                      {"passes", passes},
                      {"seed", seed},
                      {"order", name_of("dual", "order", order)},
                      {"kernel", name_of("dual", "kernel", kernel.kind)},
                      {"degree", static_cast<std::int64_t>(kernel.degree)},
                      {"constant", kernel.constant},
                      {"gamma", kernel.gamma},
                      {"gram-cache", gram_cache},
                      {"trace", trace}}};
}

Basic::operator TrainSpec() const { return {.learner = "basic", .options = {{"origin", origin}}}; }

LeastSquares::operator TrainSpec() const {
  return {.learner = "least-squares",
          .options = {{"origin", origin},
                      {"passes", passes},
                      {"matrix", name_of("least-squares", "matrix", matrix)},
                      {"ridge", ridge},
                      {"tolerance", tolerance}}};
}

Margin::operator TrainSpec() const {
  return {.learner = "margin",
          .options = {{"origin", origin},
                      {"passes", passes},
                      {"seed", seed},
                      {"loss", std::string(facts_of(loss).name)},
                      {"lambda", lambda},
                      {"C", C},
                      {"hard", hard},
                      {"penalty", name_of("margin", "penalty", penalty)},
                      {"l1-ratio", l1_ratio},
                      {"group-features", group_features},
                      {"gap", gap},
                      {"solver", name_of("margin", "solver", solver)},
                      {"positive-weight", positive_weight},
                      {"negative-weight", negative_weight},
                      {"class-weight", class_weight}}};
}

Regression::operator TrainSpec() const {
  return {.learner = "regression",
          .options = {{"origin", origin},
                      {"passes", passes},
                      {"seed", seed},
                      {"order", name_of("regression", "order", order)},
                      {"rule", name_of("regression", "rule", rule)},
                      {"rate", rate},
                      {"weighted", weighted},
                      {"residual-bound", residual_bound}}};
}

}  // namespace linsep

#include "linsep/specs.h"

#include <array>
#include <string>

namespace linsep {
namespace {

template <class Enum, std::size_t N>
std::string name_of(Enum value, const std::array<const char*, N>& names) {
  return names.at(static_cast<std::size_t>(value));
}

std::string order_name(RowOrder order) {
  return name_of(order, std::array<const char*, 3>{"given", "shuffled", "drawn"});
}

}  // namespace

Perceptron::operator TrainSpec() const {
  return {.learner = "perceptron",
          .options = {{"origin", origin},
                      {"passes", passes},
                      {"seed", seed},
                      {"order", order_name(order)},
                      {"rate", rate},
                      {"weighted", weighted},
                      {"init", init},
                      {"init-offset", init_offset},
                      {"variant", name_of(variant, std::array<const char*, 3>{"last", "averaged", "voted"})},
                      {"multiclass", name_of(multiclass, std::array<const char*, 2>{"rest", "joint"})},
                      {"trace", trace}}};
}

DualPerceptron::operator TrainSpec() const {
  return {.learner = "dual",
          .options = {{"origin", origin},
                      {"passes", passes},
                      {"seed", seed},
                      {"order", order_name(order)},
                      {"kernel", name_of(kernel.kind, std::array<const char*, 3>{"linear", "polynomial", "gaussian"})},
                      {"degree", static_cast<std::int64_t>(kernel.degree)},
                      {"constant", kernel.constant},
                      {"gamma", kernel.gamma},
                      {"gram-cache", gram_cache},
                      {"trace", trace}}};
}

Basic::operator TrainSpec() const { return {.learner = "basic", .options = {{"origin", origin}}}; }

LeastSquares::operator TrainSpec() const {
  constexpr std::array<const char*, 5> kMatrices{"auto", "identity", "diagonal", "full", "cg"};
  return {.learner = "least-squares",
          .options = {{"origin", origin},
                      {"passes", passes},
                      {"matrix", name_of(matrix, kMatrices)},
                      {"ridge", ridge},
                      {"tolerance", tolerance}}};
}

Margin::operator TrainSpec() const {
  constexpr std::array<const char*, 4> kLosses{"hinge", "squared-hinge", "logistic", "softmax"};
  constexpr std::array<const char*, 5> kSolvers{"auto", "dual", "interior", "newton", "planes"};
  return {.learner = "margin",
          .options = {{"origin", origin},
                      {"passes", passes},
                      {"seed", seed},
                      {"loss", name_of(loss, kLosses)},
                      {"lambda", lambda},
                      {"C", C},
                      {"hard", hard},
                      {"gap", gap},
                      {"solver", name_of(solver, kSolvers)},
                      {"positive-weight", positive_weight},
                      {"negative-weight", negative_weight},
                      {"class-weight", class_weight}}};
}

Regression::operator TrainSpec() const {
  return {.learner = "regression",
          .options = {{"origin", origin},
                      {"passes", passes},
                      {"seed", seed},
                      {"order", order_name(order)},
                      {"rule", name_of(rule, std::array<const char*, 2>{"signed", "squared"})},
                      {"rate", rate},
                      {"weighted", weighted},
                      {"residual-bound", residual_bound}}};
}

}  // namespace linsep

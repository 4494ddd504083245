#include "linsep/specs.h"

#include <gtest/gtest.h>

namespace linsep {
namespace {

std::vector<TrainSpec> defaults() {
  return {Perceptron{}, DualPerceptron{}, Basic{}, LeastSquares{}, Margin{}, Regression{}};
}

TEST(Specs, EveryLearnerHasOne) {
  ASSERT_EQ(defaults().size(), learners().size());
  for (std::size_t k = 0; k < learners().size(); ++k) EXPECT_EQ(defaults()[k].learner, learners()[k].name);
}

TEST(Specs, DefaultsAreThoseOfTheTables) {
  for (const TrainSpec& spec : defaults()) {
    const OptionTable& table = learner_info(spec.learner).table;
    EXPECT_EQ(spec.options, complete_options(table, {})) << spec.learner;
    EXPECT_EQ(spec.options.size(), table.size()) << spec.learner << " has an option that its struct lacks";
  }
}

/// The choices that a struct can make for one option, by trying every value of the enumeration.
template <class Spec, class Enum>
void expect_choices(Enum Spec::* member, const char* option) {
  const OptionTable& table = learner_info(TrainSpec(Spec{}).learner).table;
  const auto& choices = find_option(table, option)->choices;
  for (std::size_t k = 0; k < choices.size(); ++k) {
    Spec spec;
    spec.*member = static_cast<Enum>(k);
    EXPECT_EQ(get_text(TrainSpec(spec).options, option), choices[k]);
  }
}

TEST(Specs, SayTheSameByNames) {
  const TrainSpec typed = Margin{.loss = Loss::kLogistic, .C = 10};
  const TrainSpec named{.learner = "margin", .options = {{"loss", "logistic"}, {"C", 10}}};
  EXPECT_EQ(named.learner, typed.learner);
  EXPECT_EQ(complete_options(learner_info("margin").table, named.options), typed.options);
}

TEST(Specs, EveryOptionHasAGroup) {
  for (const LearnerInfo& learner : learners()) {
    EXPECT_NE(learner.formula, "") << learner.name;
    for (const OptionSpec& option : learner.table) EXPECT_NE(option.group, "") << learner.name << " " << option.name;
  }
}

TEST(Specs, EnumerationsAreTheTablesChoices) {
  expect_choices(&Perceptron::order, "order");
  expect_choices(&Perceptron::variant, "variant");
  expect_choices(&Perceptron::multiclass, "multiclass");
  expect_choices(&DualPerceptron::order, "order");
  expect_choices(&LeastSquares::matrix, "matrix");
  expect_choices(&Margin::loss, "loss");
  expect_choices(&Margin::solver, "solver");
  expect_choices(&Regression::order, "order");
  expect_choices(&Regression::rule, "rule");
  const auto& kernels = find_option(learner_info("dual").table, "kernel")->choices;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const DualPerceptron spec{.kernel = {.kind = static_cast<Kernel::Kind>(k)}};
    EXPECT_EQ(get_text(TrainSpec(spec).options, "kernel"), kernels[k]);
  }
}

}  // namespace
}  // namespace linsep

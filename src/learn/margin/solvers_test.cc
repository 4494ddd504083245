// Which solver is taken for which data, and which are refused.
#include "learn/margin/solvers.h"

#include <gtest/gtest.h>

#include "learn/margin/margin.h"
#include "learn/testing.h"
#include "linsep/error.h"

namespace linsep {
namespace {

using testing::word;

SolverChoice choice_of(const Options& given, const Shape& shape, int workers = 1) {
  return choose_margin_solver(complete_options(margin_options(), given), shape, workers);
}

TEST(SolverChoice, SaysWhichSolverAndWhy) {
  const auto solver = [](const Options& given, const Shape& shape) {
    const SolverChoice choice = choice_of(given, shape);
    EXPECT_FALSE(choice.because.empty());
    return choice.solver;
  };
  EXPECT_EQ(solver({}, {400000, 47236, 32800000}), "dual");
  EXPECT_EQ(solver({{"C", 100.0}}, {32561, 123, 451592}), "interior");
  EXPECT_EQ(solver({{"loss", word("logistic")}}, {100, 1000, 5000}), "newton");
  EXPECT_EQ(solver({{"loss", word("squared-hinge")}}, {1000, 100, 5000}), "newton");
  EXPECT_EQ(solver({{"loss", word("squared-hinge")}}, {100, 1000, 5000}), "dual");
  EXPECT_EQ(solver({{"solver", word("dual")}, {"C", 100.0}}, {32561, 123, 451592}), "dual");
}

TEST(SolverChoice, SquaredHingesHaveASecondSolverWhicheverIsFirst) {
  const Options options = {{"loss", word("squared-hinge")}};
  for (const Shape& shape : {Shape{1000, 100, 5000}, Shape{100, 1000, 5000}}) {
    EXPECT_EQ(choice_of(options, shape).otherwise, "interior");
  }
  EXPECT_EQ(choice_of(options, {10000, 3000, 50000}).otherwise, "dual");
  EXPECT_EQ(choice_of(options, {1000, 3000, 50000}).otherwise, "newton");
  EXPECT_EQ(choice_of({{"loss", word("squared-hinge")}, {"C", 100.0}}, {1000, 100, 5000}).solver, "interior");
  EXPECT_TRUE(choice_of({{"loss", word("logistic")}}, {1000, 100, 5000}).otherwise.empty());
}

TEST(SolverChoice, WithAnL1PartTheInteriorPointMethodFollowsWhatMayBeSlow) {
  const auto l1 = [](const char* loss, double c, const Shape& shape) {
    return choice_of({{"loss", word(loss)}, {"penalty", word("l1")}, {"C", c}}, shape);
  };
  const Shape narrow{1000, 100, 5000};
  EXPECT_EQ(l1("hinge", 0.001, narrow).solver, "dual");
  EXPECT_EQ(l1("hinge", 0.001, narrow).otherwise, "interior");
  EXPECT_EQ(l1("hinge", 1, narrow).solver, "interior");
  EXPECT_TRUE(l1("hinge", 0.001, {1000, 3000, 50000}).otherwise.empty());
  EXPECT_EQ(l1("squared-hinge", 100, narrow).solver, "working-set");
  EXPECT_EQ(l1("squared-hinge", 100, narrow).otherwise, "interior");
  EXPECT_TRUE(l1("squared-hinge", 1, narrow).otherwise.empty());
  EXPECT_TRUE(l1("logistic", 100, narrow).otherwise.empty());
}

TEST(SolverChoice, ASolverIsRefusedExactlyForLossesItDoesntSolve) {
  for (const SolverEntry* solver : margin_solvers()) {
    for (const LossFacts& facts : kLosses) {
      const Options options = {{"solver", std::string(solver->name)},
                               {"loss", std::string(facts.name)},
                               {"l1-ratio", solver->l1 ? 1.0 : 0.0}};
      if (solver->losses.empty()) {
        EXPECT_THROW(choice_of(options, {10, 3, 30}), Error) << solver->name;
      } else if (solver->solves(facts.loss)) {
        EXPECT_EQ(choice_of(options, {10, 3, 30}).solver, solver->name);
      } else {
        EXPECT_THROW(choice_of(options, {10, 3, 30}), Error) << solver->name << " " << facts.name;
      }
    }
  }
}

TEST(SolverChoice, WorkersGetASolverThatRunsOnAnyNumber) {
  for (const LossFacts& facts : kLosses) {
    const SolverChoice choice = choice_of({{"loss", std::string(facts.name)}}, {10, 3, 30}, 4);
    const SolverEntry& solver = *find_solver(choice.solver);
    EXPECT_TRUE(solver.any_workers) << facts.name;
    EXPECT_TRUE(solver.solves(facts.loss)) << facts.name;
    EXPECT_TRUE(choice.otherwise.empty()) << facts.name;
  }
  for (const char* one : {"dual", "interior"}) {
    EXPECT_THROW(choice_of({{"solver", word(one)}}, {10, 3, 30}, 2), Error) << one;
  }
}

TEST(SolverChoice, TheHardMarginOfManyColumnsDescends) {
  EXPECT_EQ(choose_hard_solver({10, 2000, -1}).solver, hard_nearest_solver().name);
  EXPECT_EQ(choose_hard_solver({10, 2001, -1}).solver, hard_descent_solver().name);
  EXPECT_EQ(choose_hard_solver({10, 2000, -1}, 3).solver, hard_nearest_solver().name);
  EXPECT_EQ(choose_hard_solver({10, 2001, -1}, 3).solver, hard_gathered_solver().name);
  EXPECT_EQ(hard_nearest_solver().order, VisitOrder::kGiven);
  EXPECT_EQ(hard_descent_solver().order, VisitOrder::kPermuted);
}

TEST(Losses, AreFoundByTheirNames) {
  for (const LossFacts& facts : kLosses) {
    EXPECT_EQ(loss_named(facts.name), facts.loss);
    EXPECT_EQ(&facts_of(facts.loss), &facts);
  }
}

TEST(Losses, BoundsHoldAtEveryMargin) {
  for (const LossFacts& facts : kLosses) {
    if (facts.joint) continue;  // not of margins
    SCOPED_TRACE(facts.name);
    EXPECT_EQ(loss_value(facts.loss, facts.zero_loss_margin), 0);
    for (double m = -30; m <= 30; m += 0.125) {
      const LossAt at = loss_at(facts.loss, m);
      EXPECT_LE(at.curvature, facts.curvature);
      EXPECT_LE(at.slope, steepest_slope(facts.loss, std::max(0.0, -m)));
      EXPECT_LE(at.slope, mean_slope(facts.loss, at.value));
      EXPECT_EQ(at.value, loss_value(facts.loss, m));
      EXPECT_TRUE(at.curvature > 0 || !facts.curved_everywhere);
    }
    for (const double share : {0.1, 0.5, 0.8}) {
      const auto total = [&](double z) {
        return share * loss_value(facts.loss, z) + (1 - share) * loss_value(facts.loss, -z);
      };
      const double best = best_constant(facts.loss, share, 1 - share);
      for (double z = -3; z <= 3; z += 0.0625) EXPECT_GE(total(z), total(best) * (1 - 1e-12));
    }
  }
}

}  // namespace
}  // namespace linsep

// The solver newton by the questions that it asks, which an oracle answers.
#include "learn/margin/newton.h"

#include <gtest/gtest.h>

#include "learn/margin/query_oracle.h"
#include "learn/margin/reference.h"

namespace linsep {
namespace {

using testing::QueryOracle;
using Asked = testing::Asked<Newton>;
using testing::Rows;

constexpr std::size_t kFew = 9, kMany = 70;  // columns: with an exact Hessian, and by conjugate gradients

struct Case {
  Loss loss;
  bool origin;
  std::size_t columns;
};
const Case kCases[] = {{Loss::kSquaredHinge, false, kFew},  {Loss::kSquaredHinge, true, kFew},
                       {Loss::kLogistic, false, kFew},      {Loss::kLogistic, true, kFew},
                       {Loss::kSquaredHinge, false, kMany}, {Loss::kLogistic, false, kMany}};

MarginSettings settings_of(const Case& c, double gap = 1e-6) {
  MarginSettings settings;
  settings.loss = c.loss;
  settings.origin = c.origin;
  settings.lambda = 0.01;
  settings.gap = gap;
  return settings;
}

Rows rows_of(const Case& c) {
  Rows rows = testing::real_rows(120, c.columns, 5);
  Random random(7);
  for (double& y : rows.y) y = random.below(6) == 0 ? -y : y;
  return rows;
}

reference::Bounds least(const Case& c, const Rows& rows) {
  return reference::least_objective(
      {rows.x, rows.y, std::vector<double>(rows.size(), 1), c.loss, c.origin, settings_of(c).lambda});
}

TEST(Newton, FindsTheOptimumFromAnswersAlone) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(std::string(facts_of(c.loss).name) + (c.origin ? " origin " : " ") + std::to_string(c.columns));
    const Rows rows = rows_of(c);
    const QueryOracle oracle(rows);
    Asked run(settings_of(c), oracle, rows);
    // A gradient and a product for each step with the exact Hessian, and a step along rows without a curvature.
    EXPECT_LE(run.ask(oracle, 400), c.columns == kFew ? 30 : 400);
    const auto optimum = static_cast<double>(least(c, rows).high);
    EXPECT_NEAR(run.task.lambda() * run.task.gap().primal, optimum, 2e-6 * optimum);
    EXPECT_LE(run.task.gap().relative(), 1e-6);
  }
}

TEST(Newton, BoundsHoldWithAnswersAsWrongAsTheySay) {
  for (const Case& c : kCases) {
    const Rows rows = rows_of(c);
    const reference::Bounds bounds = least(c, rows);
    for (const double wrong : {1e-3, 1e-6, 1e-9}) {
      const QueryOracle oracle(rows, wrong);
      Asked run(settings_of(c), oracle, rows);
      run.ask(oracle, 60);
      const Gap& gap = run.task.gap();
      EXPECT_LE(run.task.lambda() * (gap.dual - gap.rounding), static_cast<double>(bounds.high) * (1 + 1e-12)) << wrong;
      EXPECT_GE(run.task.lambda() * gap.primal, static_cast<double>(bounds.low) * (1 - 1e-12)) << wrong;
      EXPECT_GE(gap.relative(), 1e-3 * wrong) << "the answers' error counts";
    }
  }
}

TEST(Newton, StopsOnceRoundingIsAllThatIsLeft) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(std::string(facts_of(c.loss).name) + (c.origin ? " origin " : " ") + std::to_string(c.columns));
    const Rows rows = rows_of(c);
    const QueryOracle oracle(rows);
    Asked run(settings_of(c, 1e-16), oracle, rows);
    const int questions = run.ask(oracle, 1000);
    EXPECT_EQ(run.verdict, Verdict::kStalled) << questions;
    EXPECT_LT(run.task.gap().relative(), 1e-10) << "what is proven by then";
  }
}

TEST(Newton, AsksTheSameAfterItsFieldsWereSavedAndLoaded) {
  for (const Case& c : kCases) {
    const Rows rows = rows_of(c);
    const QueryOracle oracle(rows);
    Asked whole(settings_of(c), oracle, rows);
    const int questions = whole.ask(oracle, 400);
    for (int cut = 1; cut < std::min(questions, 9); ++cut) {
      Asked first(settings_of(c), oracle, rows), second(settings_of(c), oracle, rows);
      EXPECT_EQ(first.ask(oracle, cut), cut + 1);
      second.load_from(first);
      EXPECT_EQ(second.ask(oracle, 400), questions - cut);
      EXPECT_EQ(second.task.model(), whole.task.model());
    }
  }
}

}  // namespace
}  // namespace linsep
